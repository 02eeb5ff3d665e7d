import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Reparsing only the items that changed")
struct ReparsingInPartTests {
    /// What an edit may insert: mostly what opens, closes, separates or hides other text.
    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "/", "//", "/*", "*/", "\n", " ", "-", ".", "1", "0", "e5", "null",
        ", 7",
        "7, ", ", \"new\": [1]", "\"new\": {}, ", "\"m1\": 5, ", "[[]], ", ",{\"x\": 1}", "// \"note\n", "/* ] */",
        "}, {",
        "], [", "\u{FEFF}", "é", "\\u0041", "\"a text of many letters\"",
    ]

    /// Edits one place, or two near each other, with items between them that stay the same.
    private static func edited(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var copy = text
        var place = random.below(copy.count + 1)
        for _ in 0..<(random.chance(40) ? 2 : 1) {
            let removed = random.chance(50) ? 0 : random.below(min(copy.count - place, random.chance(80) ? 8 : 80) + 1)
            let inserted = random.chance(20) ? "" : random.pick(fragments)
            copy.replaceSubrange(place..<place + removed, with: inserted.utf8)
            place = min(copy.count, place + random.below(60))
        }
        return copy
    }

    private static let rounds = Thoroughness.edits(inFull: 3_200, otherwise: 1_200) / 40

    /// A text with containers in containers, comments, and objects and arrays of more than one page.
    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        func value(_ depth: Int) -> String {
            let count = random.chance(10) ? random.below(70) : random.below(5)
            let space = random.pick(["", " ", "\n  ", " // note, {\n", "/* \" */"])
            switch random.below(depth > 3 ? 3 : 6) {
            case 0: return random.pick(["1", "-0.5e3", "true", "null", "12345678901234567890"])
            case 1: return random.pick(["\"\"", "\"a // text\"", "\"a, text of [many] letters\"", "\"\\\"\\u00e9\""])
            case 2: return random.pick(["[]", "{}", "[ ]", "{ /* nothing */ }"])
            case 3: return "[" + (0..<count).map { _ in space + value(depth + 1) }.joined(separator: ",") + space + "]"
            default:
                let members = (0..<count).map { "\(space)\"m\($0)\":\(space)\(value(depth + 1))" }
                return "{" + members.joined(separator: "\(space),") + (count > 0 && random.chance(10) ? ", }" : "}")
            }
        }
        let sections = (0..<8).map { "\"section \($0)\": \(value(1))" }
        return Array("{\n  \(sections.joined(separator: ",\n  "))\n}\n".utf8)
    }

    /// The next version if it can be parsed in part.
    static func inPart(_ document: JSONDocument, _ text: [UInt8]) -> JSONDocument? {
        text.withUnsafeBytes { document.reparsedInPart($0, in: Source.scannable($0)) }
    }

    @Test("A text that is parsed in part gives exactly what a fresh parse gives", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var (valid, inPart) = (0, 0)
        for round in 0..<Self.rounds {
            let dialect = random.pick([JSONDocument.Dialect.jsonc, .jsonc, .json])
            let options = JSONDocument.Options(dialect: dialect, depthLimit: random.pick([5, 512]))
            guard var document = try? JSONDocument(parsing: Self.text(&random), options: options) else { continue }
            for step in 0..<40 {
                let text = Self.edited(document.bytes, &random)
                let fresh = try? JSONDocument(parsing: text, options: options)
                let next = Self.inPart(document, text)
                if fresh == nil { #expect(next == nil, "seed \(seed), round \(round), step \(step)") }
                if let next, let fresh {
                    inPart += 1
                    let isSame = next.value.description == fresh.value.description && next.bytes == text
                    #expect(isSame && next.warnings == fresh.warnings, "seed \(seed), round \(round), step \(step)")
                    #expect(next.value == fresh.value && next.value.fault == nil, "seed \(seed), round \(round)")
                }
                guard let fresh else { continue }
                valid += 1
                document = next ?? fresh
            }
        }
        #expect(valid > 200 && inPart * 10 > valid * 6, "\(inPart) of \(valid)")
    }

    @Test("A large text that is edited here and there, by a program too, stays the same as a fresh parse")
    func largeText() throws {
        var random = SeededGenerator(.random(in: 1...999_999))
        let records = (0..<400).map { number in
            let tags = (0..<random.below(6)).map { "\"tag \($0)\"" }.joined(separator: ", ")
            return
                "  \"record \(number)\": {\"id\": \(number), \"tags\": [\(tags)], \"text\": \"a text, of [many] letters\"}"
        }
        let list = (0..<400).map { "[\($0), 0]" }.joined(separator: ",\n")
        let text =
            "{\n\"records\": {\n\(records.joined(separator: ",\n"))},\n \"list\": [\(list)], \"last\": [1, 2, 3]}"
        var document = try JSONDocument(parsing: text)
        var inFull = 0
        for step in 0..<(Thoroughness.isFull ? 400 : 80) {
            let number = random.below(400)
            let path = JSONPointer(["records", "record \(number)"])
            switch random.below(8) {
            case 0: document = (try? document.removing(path)) ?? document
            case 1: document = try document.setting(path, to: ["id": JSON(step)])
            case 2: document = try document.setting("list.\(number)", to: [JSON(step)])
            default: break
            }
            var edited = document.text
            switch random.below(5) {
            case 0: edited.replace("records\": {", with: "records\": {\n \"new \(step)\": [{}, 1],", maxReplacements: 1)
            case 1: edited.replace("list\": [", with: "list\": [\n [0, \(step)], [], ", maxReplacements: 1)
            case 2: edited.replace("[\(number), 0]", with: "[\(number), 0], [1]")
            case 3: edited.replace("[\(number), 0]", with: "[\(step), 0]")
            default: edited.replace("\"id\": \(number),", with: "\"id\": \(number), \"x\(step)\": [\(step)],")
            }
            let next = Self.inPart(document, Array(edited.utf8))
            if next == nil { inFull += 1 }
            document = try next ?? document.reparsed(edited)
            #expect(try ReparsingTests.fault(of: document, edited) == nil, "step \(step)")
        }
        // After a removal by the program the object has a gap, and a text that many places were changed in is parsed.
        #expect(inFull < (Thoroughness.isFull ? 160 : 40))
        let texts = [document.text.replacing("[1, 2, 3]", with: "[1, 2, 4]"), document.text]
        for text in texts { document = try #require(Self.inPart(document, Array(text.utf8))) }
        #expect(document.marks.last(upTo: .max)!.offset > document.bytes.count - (20 << 10))
    }

    /// Enough items before and after an edit that it concerns less than half of the text.
    private static let (before, after) = (
        "{\"first\": [1, 2, 3], \"list\": [", ", 8, 9], \"last\": {\"x\": \"a long text\"}}"
    )

    @Test(
        "What would be read otherwise together with the rest of the text is parsed in full",
        arguments: [
            ("1", "1, // 2"), ("1 // x\n", "1 // x"), ("1", "1 /* 2"), ("1", "\"1"), ("1", "1] // "),
            ("1", "1], \"y\": [2"),
            ("1", ""), ("1", ","), ("1", "1,"), ("1", "1 2"), ("1", "1 \\"), ("[1, 2]", "[1], [2]"),
        ])
    func dependent(old: String, new: String) throws {
        let document = try JSONDocument(parsing: Self.before + old + Self.after)
        let text = Array((Self.before + new + Self.after).utf8)
        #expect(Self.inPart(document, text) == nil)
    }

    @Test(
        "Items that change, come and go are parsed in part",
        arguments: [
            ("1", "2"), ("1", "1, 2"), ("1, 2", "1"), ("1, 2", "2"), ("1", "{\"a\": [1, 2]}"),
            ("{\"a\": [1]}", "{\"a\": [1, 2]}"),
            ("1", "1 // note ]\n"), ("\"a\"", "\"a, [b\""), ("[1], [2]", "[1, 2]"), ("1, 2, 3", "7, 2, 9"),
            ("{\"a\": 1, \"b\": 2, \"c\": 3}", "{\"a\": 7, \"b\": 2, \"c\": 9}"), ("1", "12"),
        ])
    func independent(old: String, new: String) throws {
        let text = Self.before + new + Self.after
        let document = try JSONDocument(parsing: Self.before + old + Self.after)
        let next = try #require(Self.inPart(document, Array(text.utf8)))
        #expect(try ReparsingTests.fault(of: next, text) == nil)
        #expect(next.value["first"]!.isIdentical(to: document.value["first"]!))
        #expect(next.value["last"]!.isIdentical(to: document.value["last"]!))
    }

    @Test("A member comes to and goes from any place of an object, and the others stay", arguments: [3, 40, 1_500])
    func members(count: Int) throws {
        func text(_ keys: [Int]) -> String { "{" + keys.map { "\"key \($0)\": [\($0)]" }.joined(separator: ", ") + "}" }
        let keys = Array(0..<count)
        for place in [0, 1, count / 2, count - 1] {
            var fewer = keys
            fewer.remove(at: place)
            for (before, after) in [(keys, fewer), (fewer, keys)] {
                let document = try JSONDocument(parsing: text(before))
                let next = try document.reparsed(text(after))
                #expect(try ReparsingTests.fault(of: next, text(after)) == nil)
                if count > 3 { #expect(Self.inPart(document, Array(text(after).utf8)) != nil) }
                for key in fewer {
                    let (old, new) = (document.value["key \(key)"], next.value["key \(key)"])
                    #expect(old!.isIdentical(to: new!))
                }
            }
        }
    }

    @Test("A key that comes to occur twice is found, and its text is parsed in full")
    func duplicates() throws {
        let members = (0..<50).map { "\"key \($0)\": \($0)" }
        let document = try JSONDocument(parsing: "{" + members.joined(separator: ", ") + "}")
        for (place, key) in [(0, "key 30"), (49, "key 0")] {
            var changed = members
            changed[place] = "\"\(key)\": 7"
            let text = "{" + changed.joined(separator: ", ") + "}"
            #expect(Self.inPart(document, Array(text.utf8)) == nil)
            let next = try document.reparsed(text)
            #expect(next.warnings.count == 1)
            #expect(try ReparsingTests.fault(of: next, text) == nil)
        }
    }

    @Test("The depth limit counts the containers outside of the items")
    func depth() throws {
        let document = try JSONDocument(
            parsing: Self.before + "[1]" + Self.after, options: JSONDocument.Options(depthLimit: 3))
        #expect(Self.inPart(document, Array((Self.before + "[2]" + Self.after).utf8)) != nil)
        #expect(Self.inPart(document, Array((Self.before + "[[]]" + Self.after).utf8)) == nil)
    }

    @Test("A value that was edited, with gaps where members were removed, is parsed again")
    func gaps() throws {
        let members = (0..<100).map { "\"key \($0)\": [\($0), 0]" }
        var document = try JSONDocument(parsing: "{" + members.joined(separator: ", ") + "}")
        for number in 0..<20 { document = try document.removing("key \(number * 3)") }
        let text = document.text.replacing("[50, 0]", with: "[50, 1]")
        let next = try document.reparsed(text)
        #expect(try ReparsingTests.fault(of: next, text) == nil)
        #expect(next.value["key 50"] == [50, 1] && next.value["key 49"]!.isIdentical(to: document.value["key 49"]!))
    }
}
