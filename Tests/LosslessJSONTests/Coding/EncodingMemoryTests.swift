import Synchronization
import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Encoding only what changed")
struct EncodingMemoryTests {
    private typealias Item = CollectionsRoot.Item

    // MARK: - Counts

    @Test("Of a dictionary only the values that changed are encoded", arguments: [20, 1_000])
    func dictionary(count: Int) throws {
        let pair = EncodingPair()
        var items = CollectionsRoot.manyItems(count)
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
        var items = CollectionsRoot.manyItems(count)
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
        var items = CollectionsRoot.manyItems(count)
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
        var root = CollectionsRoot()
        root.inner.items = CollectionsRoot.manyItems(50)
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
        var items = CollectionsRoot.manyItems(100)
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
        var root = CollectionsRoot()
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...3, using: &random) { root.change(&random) }
            try pair.encode(root)
        }
    }

    @Test("What is always encoded as a whole is shared with the last version, where it is the same")
    func shared() throws {
        let (encoder, memory) = (JSONValueEncoder(), EncodingMemory())
        var root = CollectionsRoot()
        root.unmarked = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", CollectionsRoot.Unmarked($0)) })
        root.unmarkedList = (0..<100).map(CollectionsRoot.Unmarked.init)
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
        root.unmarkedList.insert(CollectionsRoot.Unmarked(-1), at: 50)
        let longer = try encoder.encode(root, defaults: nil, memory)
        for (index, old) in [(0, 0), (49, 49), (51, 50), (100, 99)] {
            let (mine, theirs) = (longer["unmarkedList"]?[index], after["unmarkedList"]?[old])
            #expect(try #require(mine).isIdentical(to: #require(theirs)))
        }
    }
}
