import Synchronization
import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Encoding only what changed")
struct EncodingMemoryTests {
    // MARK: - Types

    private enum Kind: String, Codable, CaseIterable, BytewiseEquatable { case one, two, three }

    private enum Shape: Codable, BytewiseEquatable {
        case circle(radius: Double)
        case label(String, [Int])
        case nothing
    }

    private struct Item: Codable, BytewiseEquatable, Sendable {
        var number: Int
        var name: String?
        var isOn = false
        var tags: [String] = []
        var kind = Kind.one
        var shape: Shape = .nothing
        var weights: [String: Double] = [:]

        init(_ number: Int) { self.number = number }

        enum CodingKeys: CodingKey { case number, name, isOn, tags, kind, shape, weights }

        func encode(to encoder: any Encoder) throws {
            if let counter = encoder.userInfo[EncodingCounter.key] as? EncodingCounter {
                counter.count.add(1, ordering: .relaxed)
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encodeIfPresent(name, forKey: .name)
            try container.encode(isOn, forKey: .isOn)
            try container.encode(tags, forKey: .tags)
            try container.encode(kind, forKey: .kind)
            try container.encode(shape, forKey: .shape)
            try container.encode(weights, forKey: .weights)
        }
    }

    private struct Root: Encodable {
        var title = ""
        var items: [String: Item] = [:]
        var list: [Item] = []
        var words: [String] = []
        var numbers: [String: Double?] = [:]
        var groups: [String: [Item]] = [:]
        var members: Set<String> = []
        var byNumber: [Int: Item] = [:]
        var inner = Inner()
        var unmarked: [String: Unmarked] = [:]
        var unmarkedList: [Unmarked] = []
        var unmarkedGroups: [String: [Unmarked]] = [:]

        struct Inner: Encodable { var items: [String: Item] = [:] }
    }

    private static func items(_ count: Int) -> [String: Item] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("item \($0)", Item($0)) })
    }

    // MARK: - Counts

    @Test("Of a dictionary only the values that changed are encoded", arguments: [20, 1_000])
    func dictionary(count: Int) throws {
        let pair = EncodingPair()
        var items = Self.items(count)
        #expect(try pair.encode(items) == count)
        #expect(try pair.encode(items) == 0)
        items["item 7"]?.name = "a name that is longer than fifteen bytes"
        #expect(try pair.encode(items) == 1)
        items["item 7"]?.tags.append("x")
        items["item 8"]?.shape = .label("label", [1])
        #expect(try pair.encode(items) == 2)
        items["item 9"] = nil
        #expect(try pair.encode(items) == 0)
        items["new"] = Item(-1)
        items["a"] = Item(-2)
        items["item 10"]?.weights["w"] = 1
        #expect(try pair.encode(items) == 3)
        pair.memory.forget()
        #expect(try pair.encode(items) == count + 1)
    }

    @Test(
        "A dictionary that lost a key, then changed, then got another one is encoded as in full",
        arguments: [20, 1_000])
    func keysComeAndGo(count: Int) throws {
        let pair = EncodingPair()
        var items = Self.items(count)
        try pair.encode(items)
        let keys = items.keys.sorted()
        for round in 0..<20 {
            let removed = items.removeValue(forKey: keys[round % keys.count])
            try pair.encode(items)
            items[keys[(round + 1) % keys.count]] = removed
            try pair.encode(items)
            items["new key \(round)"] = removed
            try pair.encode(items)
        }
    }

    @Test(
        "Keys that only Unicode takes for equal are exchanged while another one comes or goes", arguments: [20, 1_000])
    func equivalentKeys(count: Int) throws {
        let pair = EncodingPair()
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        var items = Self.items(count)
        let (value, other) = (items.values.first!, "other")
        items[composed] = value
        for round in 0..<6 {
            try pair.encode(items)
            items[composed] = nil
            items[round.isMultiple(of: 2) ? decomposed : composed] = value
            items[other] = round.isMultiple(of: 3) ? value : nil
        }
        try pair.encode(items)
    }

    @Test("Of an array only the elements that changed, or came, are encoded", arguments: [20, 1_000])
    func array(count: Int) throws {
        let pair = EncodingPair()
        var list = (0..<count).map(Item.init)
        #expect(try pair.encode(list) == count)
        list[3].isOn = true
        #expect(try pair.encode(list) == 1)
        list.insert(contentsOf: [Item(-1), Item(-2)], at: 5)
        #expect(try pair.encode(list) == 2)
        list.removeSubrange(2..<4)
        #expect(try pair.encode(list) == 0)
    }

    @Test("Collections in structs and in smaller collections are remembered, and an error changes nothing")
    func nested() throws {
        let pair = EncodingPair()
        var root = Root()
        root.inner.items = Self.items(50)
        root.groups = ["a": [], "b": (0..<30).map(Item.init)]
        #expect(try pair.encode(root) == 80)
        root.inner.items["item 5"]?.number = 55
        root.groups["b"]?[2].number = 22
        root.title = "other"
        #expect(try pair.encode(root) == 2)
        root.numbers = ["nan": .nan]
        #expect(throws: JSONCodingError.self) { try JSONValueEncoder().encode(root, defaults: nil, pair.memory) }
        root.numbers = [:]
        root.list = (0..<16).map(Item.init)
        #expect(try pair.encode(root) == 16)
    }

    // MARK: - The same as encoding everything

    @Test("Of several errors the first one is reported") func errors() throws {
        let pair = EncodingPair()
        var items = Self.items(100)
        try pair.encode(items)
        for number in 0..<20 { items["item \(number)"]?.weights = ["w": .nan] }
        let encoder = JSONValueEncoder()
        let expected = try #require(throws: JSONCodingError.self) { try encoder.encode(items) }
        let found = try #require(throws: JSONCodingError.self) {
            try encoder.encode(items, defaults: nil, pair.memory)
        }
        #expect("\(found)" == "\(expected)")
        for number in 0..<20 { items["item \(number)"]?.weights = ["w": 1] }
        #expect(try pair.encode(items) == 20)
    }

    @Test("Random changes give the same text as encoding everything", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let pair = EncodingPair()
        var root = Root()
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...3, using: &random) { Self.change(&root, &random) }
            try pair.encode(root)
        }
    }

    private static func change(_ root: inout Root, _ random: inout SeededGenerator) {
        let key = ["é", "e\u{301}", "a key that is longer than fifteen bytes"].randomElement(using: &random)!
        let number = Int.random(in: 0..<60, using: &random)
        let keys = [key, "key \(number)", "\(number)"]
        func name() -> String { keys.randomElement(using: &random)! }
        switch Int.random(in: 0..<22, using: &random) {
        case 0: root.items[name()] = Item(number)
        case 1: root.items[name()]?.name = [nil, name()].randomElement(using: &random)!
        case 2: root.items[name()] = nil
        case 3: root.list.insert(Item(number), at: Int.random(in: 0...root.list.count, using: &random))
        case 4: if !root.list.isEmpty { root.list.remove(at: number % root.list.count) }
        case 5: if !root.list.isEmpty { root.list[number % root.list.count].tags.append(name()) }
        case 6: root.words.append(name())
        case 7: if !root.words.isEmpty { root.words[number % root.words.count] = name() }
        case 8: root.numbers[name()] = [.some(nil), 1, 2, nil].randomElement(using: &random)!
        case 9: root.groups["g\(number % 3)", default: []].append(Item(number))
        case 10: root.byNumber[number] = Item(number)
        case 11: root.unmarked[name()] = Unmarked(number)
        case 12: root.unmarked[name()] = nil
        case 13: root.unmarked[name()]?.name = name()
        case 14:
            root.unmarkedList.insert(Unmarked(number), at: Int.random(in: 0...root.unmarkedList.count, using: &random))
        case 15: if !root.unmarkedList.isEmpty { root.unmarkedList[number % root.unmarkedList.count].ratio *= -0.5 }
        case 16: root.unmarkedGroups[name(), default: []].append(Unmarked(number))
        case 17:
            let heights = [0.0, -0.0, 0.1, 1e-5, 0.1 + 0.2, 1e22, 123_456_789_012_345.0, Double(number) / 8]
            root.unmarked[name(), default: Unmarked(number)].address?.height = heights.randomElement(using: &random)!
        case 18: root.unmarked[name()]?.address = [nil, .init(label: name())].randomElement(using: &random)!
        case 19: root.unmarked[name()]?.tags = (0..<number % 3).map { _ in name() }
        case 20: root.unmarked[name()]?.others.append(.init(label: name()))
        default:
            root.inner.items[name()] = Item(number)
            root.members.insert(name())
            if number == 0 { root.items = Self.items(40) }
        }
    }

    // MARK: - Types that are always encoded as a whole

    private final class Object: Codable, BytewiseEquatable {
        var number: Int

        init(_ number: Int) { self.number = number }
    }

    private struct Unmarked: Codable {
        var number: Int
        var name: String?
        var ratio = 0.0
        var address: Address? = Address()
        var tags = ["a", "a tag that is longer than fifteen bytes"]
        var others: [Address] = []

        init(_ number: Int) { self.number = number }

        struct Address: Codable {
            var label = "somewhere"
            var height = 1.5
        }
    }

    private struct Holder: Encodable, BytewiseEquatable { var object: Object }

    private struct PointerHolder: Encodable, BytewiseEquatable {
        let pointer: UnsafeMutablePointer<Int>

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(pointer.pointee)
        }
    }

    private struct ClosureHolder: Encodable, BytewiseEquatable {
        let number: () -> Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number())
        }
    }

    private struct AnyHolder: Encodable, BytewiseEquatable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private enum Wrapper: Encodable, BytewiseEquatable {
        case object(Object)
        case number(Int)
    }

    @Test("A change behind a reference is encoded, whatever the type says of itself") func references() throws {
        let object = Object(1)
        let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        pointer.initialize(to: 1)
        defer { pointer.deallocate() }
        func check<Element: Encodable>(_ element: Element) throws {
            let (array, dictionary) = (EncodingPair(), EncodingPair())
            let elements = Array(repeating: element, count: 20)
            let members = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", element) })
            for _ in 0..<3 {
                try array.encode(elements)
                try dictionary.encode(members)
                object.number += 1
                pointer.pointee += 1
            }
        }
        try check(object)
        try check(Holder(object: object))
        try check([Holder(object: object)])
        try check(Holder?.some(Holder(object: object)))
        try check(Wrapper.object(object))
        try check(PointerHolder(pointer: pointer))
        try check(ClosureHolder { object.number })
        try check(AnyHolder(value: object))
    }

    @Test("A change behind a reference is encoded, also if the first element refers to nothing at first")
    func laterReference() throws {
        let (object, pair) = (Object(1), EncodingPair())
        var elements = (0..<20).map { Wrapper.number($0) }
        for round in 0..<4 {
            try pair.encode(elements)
            elements[0] = round.isMultiple(of: 2) ? .object(object) : .number(1)
            try pair.encode(elements)
            object.number += 1
            try pair.encode(elements)
        }
    }

    @Test("Types that do not say that their bytes are enough are encoded as a whole") func unmarked() throws {
        #expect(Bytewise.canCompare(Item(1)) && Bytewise.canCompare(["a": [1.5]]) && Bytewise.canCompare(Kind.two))
        #expect(Bytewise.canCompare(Shape.label("a", [1])) && Bytewise.canCompare(String?.none))
        #expect(!Bytewise.canCompare(Unmarked(1)) && !Bytewise.canCompare([Unmarked(1)]))
        #expect(!Bytewise.canCompare(Object(1)) && !Bytewise.canCompare(Wrapper.object(Object(1))))
        #expect(!Bytewise.canCompare(1 as any Encodable as Any))
        let used = UsedBytes(of: Item(1))
        #expect(Bytewise.canCompare(Item(1), like: Item(1), used) && Bytewise.canCompare(Item(1), like: Item(2), used))
        let usedByWrapper = UsedBytes(of: Wrapper.number(1))
        #expect(!Bytewise.canCompare(Wrapper.object(Object(1)), like: .number(1), usedByWrapper))
    }

    @Test("What they are encoded as is shared with the last version, where it is the same") func shared() throws {
        let (encoder, memory) = (JSONValueEncoder(), EncodingMemory())
        var root = Root()
        root.unmarked = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", Unmarked($0)) })
        root.unmarkedList = (0..<100).map(Unmarked.init)
        let before = try encoder.encode(root, defaults: nil, memory)
        root.title = "other"
        root.unmarked["key 7"]?.number = -7
        let after = try encoder.encode(root, defaults: nil, memory)
        #expect(try after["unmarkedList"]?.isIdentical(to: #require(before["unmarkedList"])) == true)
        for number in 0..<100 {
            let (mine, theirs) = (before["unmarked"]?["key \(number)"], after["unmarked"]?["key \(number)"])
            #expect(try #require(mine).isIdentical(to: #require(theirs)) == (number != 7))
        }
        #expect(after["unmarked"]?["key 7"]?["number"]?.int == -7)
        let addresses = try [before, after].map { try #require($0["unmarked"]?["key 7"]?["address"]) }
        #expect(addresses[0].isIdentical(to: addresses[1]))
        root.unmarkedList.insert(Unmarked(-1), at: 50)
        let longer = try encoder.encode(root, defaults: nil, memory)
        for (index, old) in [(0, 0), (49, 49), (51, 50), (100, 99)] {
            let (mine, theirs) = (longer["unmarkedList"]?[index], after["unmarkedList"]?[old])
            #expect(try #require(mine).isIdentical(to: #require(theirs)))
        }
    }
}
