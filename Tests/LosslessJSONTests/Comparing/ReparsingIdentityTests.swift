import Testing

@testable import LosslessJSON

@Suite("Sharing of unchanged values when a text is reparsed")
struct ReparsingIdentityTests {
    /// A file with small and large objects and arrays, nested, with short and long strings.
    static func section(_ number: Int) -> String {
        let members = (0..<40).map { #""a member of many letters \#($0)": "its value, also long, \#($0)""# }
        let numbers = (0..<70).map { "[\($0), \(number)]" }
        return """
            {"id": \(number), "large": {\(members.joined(separator: ", "))}, "list": [\(numbers.joined(separator: ", "))],
             "small": {"x": 1, "y": [true, "an escaped string, \\u0061"]}}
            """
    }

    static func text(_ sections: [(key: String, text: String)]) -> String {
        "{" + sections.map { "\"\($0.key)\": \($0.text)" }.joined(separator: ",\n") + "}"
    }

    static let sections = (0..<8).map { (key: "section \($0)", text: section($0)) }

    @Test("Unchanged values are shared beside a changed value and inside it")
    func neighbors() throws {
        let document = try JSONDocument(parsing: Self.text(Self.sections))
        var changed = Self.sections
        changed[3].text.replace("\"id\": 3", with: "\"id\": 33")
        changed[5].text.replace("its value, also long, 7\"", with: "another value, also long\"")
        changed[6].text.replace("[9, 6]", with: "[9, 66]")
        let next = try document.reparsed(Self.text(changed))
        for number in [0, 1, 2, 4, 7] {
            #expect(next.value["section \(number)"]!.isIdentical(to: document.value["section \(number)"]!))
        }
        for number in [3, 5, 6] {
            let (old, new) = (document.value["section \(number)"]!, next.value["section \(number)"]!)
            #expect(!new.isIdentical(to: old))
            #expect(new["small"]!.isIdentical(to: old["small"]!))
            #expect(new["large"]!.isIdentical(to: old["large"]!) == (number != 5))
            #expect(new["list"]!.isIdentical(to: old["list"]!) == (number != 6))
        }
        let list = next.value["section 6"]!["list"]!
        for index in 0..<70 where index != 9 {
            #expect(list[index]!.isIdentical(to: document.value["section 6"]!["list"]![index]!))
        }
        #expect(
            next.value.difference(from: document.value).map(\.path.description).sorted() == [
                "/section 3/id", "/section 5/large/a member of many letters 7", "/section 6/list/9/1",
            ])
    }

    @Test("A change of white space and comments leaves the value identical")
    func spaceOnly() throws {
        let document = try JSONDocument(parsing: Self.text(Self.sections))
        let next = try document.reparsed("// a comment\n" + Self.text(Self.sections).replacing("\": ", with: "\" :\n"))
        #expect(next.value.isIdentical(to: document.value))
    }

    @Test("Reparsing an unchanged text returns the same document")
    func unchanged() throws {
        let document = try JSONDocument(parsing: Self.text(Self.sections))
        let next = try document.reparsed(document.bytes)
        #expect(next.value.isIdentical(to: document.value) && next.source === document.source)
        let empty = try JSONDocument(parsing: "[]")
        #expect(try empty.reparsed("[]").source === empty.source)
    }

    @Test(
        "Unchanged members are shared when other members are inserted, removed, moved or renamed",
        arguments: ["insert first", "insert", "append", "remove first", "remove", "remove last", "reverse", "rename"])
    func members(edit: String) throws {
        let document = try JSONDocument(parsing: Self.text(Self.sections))
        var sections = Self.sections
        switch edit {
        case "insert first": sections.insert(("new", "[1]"), at: 0)
        case "insert": sections.insert(("new", "{}"), at: 4)
        case "append": sections.append(("new", "null"))
        case "remove first": sections.removeFirst()
        case "remove": sections.remove(at: 4)
        case "remove last": sections.removeLast()
        case "reverse": sections.reverse()
        default: sections[2].key = "renamed"
        }
        let next = try document.reparsed(Self.text(sections))
        #expect(try ReparsingTests.fault(of: next, Self.text(sections)) == nil)
        for (key, _) in sections where key.hasPrefix("section") {
            #expect(next.value[key]!.isIdentical(to: document.value[key]!), "\(key)")
        }
    }

    @Test(
        "Unchanged members of large objects are shared when members are inserted, removed or moved",
        arguments: [31, 32, 33, 34, 200])
    func largeObjects(count: Int) throws {
        func text(_ numbers: some Sequence<Int>) -> String {
            Self.text(numbers.map { ("key \($0)", "{\"value\": \($0)}") })
        }
        let document = try JSONDocument(parsing: text(0..<count))
        for numbers in [Array(1..<count), Array(0...count), Array(-1..<count), (0..<count).reversed()] {
            let next = try document.reparsed(text(numbers))
            #expect(next.value.object?.fault == nil)
            for number in numbers where (0..<count).contains(number) {
                #expect(next.value["key \(number)"]!.isIdentical(to: document.value["key \(number)"]!))
            }
        }
    }

    @Test(
        "Unchanged elements are shared before and after inserted, removed and changed elements",
        arguments: [3, 31, 32, 33, 100])
    func elements(count: Int) throws {
        func text(_ elements: [Int]) -> String { "[" + elements.map { "{\"id\": \($0)}" }.joined(separator: ",") + "]" }
        let document = try JSONDocument(parsing: text(Array(0..<count)))
        func check(_ elements: [Int], _ edit: String) throws {
            let next = try document.reparsed(text(elements))
            #expect(try ReparsingTests.fault(of: next, text(elements)) == nil)
            for (index, element) in elements.enumerated() where element >= 0 {
                #expect(next.value[index]!.isIdentical(to: document.value[element]!), "\(edit) at \(index) of \(count)")
            }
        }
        for place in Set([0, 1, count / 2, count - 1]).sorted() {
            var elements = Array(0..<count)
            elements.insert(-1, at: place)
            try check(elements, "insert")
            elements.insert(-2, at: place)
            try check(elements, "insert two")
            elements = Array(0..<count)
            elements.remove(at: place)
            try check(elements, "remove")
            elements = Array(0..<count)
            elements[place] = -1
            try check(elements, "change")
            elements.append(-2)
            try check(elements, "change and append")
        }
    }

    @Test("Values are shared across ten successive reparses")
    func repeatedly() throws {
        // From the second round on, the previous value is itself the result of sharing subtrees.
        var document = try JSONDocument(parsing: Self.text(Self.sections))
        for round in 0..<10 {
            var sections = Self.sections
            sections[round % 8].text.replace("\"id\": ", with: "\"id\": 9")
            let next = try document.reparsed(Self.text(sections))
            #expect(
                next.value["section \((round + 2) % 8)"]!.isIdentical(to: document.value["section \((round + 2) % 8)"]!)
            )
            document = next
        }
    }

    @Test("Values of a reparsed document do not retain the new text")
    func noRetainedText() throws {
        let document = try JSONDocument(parsing: Self.text(Self.sections))
        var sections = Self.sections
        sections[1].text.replace("its value, also long, 7\"", with: "a new value, long enough to be a slice\"")
        sections.append(("a new key, longer than fourteen", #"["new strings, quite long", "and \u0061 escaped one"]"#))
        let next = try document.reparsed(Self.text(sections))
        #expect(ReparsingIdentityTests.slices(of: next.value).allSatisfy { $0.source !== next.source })
        #expect(ReparsingIdentityTests.slices(of: document.value).allSatisfy { $0.source === document.source })
    }

    private static func slices(of value: JSON) -> [TextSlice] {
        func slices(_ text: Text) -> [TextSlice] {
            switch text {
            case .short: []
            case .slice(let slice), .escaped(let slice): [slice]
            }
        }
        switch value {
        case .null, .bool: return []
        case .number(let number): return slices(number.text)
        case .string(let string): return slices(string.text)
        case .array(let array): return array.flatMap(Self.slices)
        case .object(let object):
            var all: [TextSlice] = []
            object.forEachMember { key, value in all += slices(copy key) + Self.slices(of: copy value) }
            return all
        }
    }
}
