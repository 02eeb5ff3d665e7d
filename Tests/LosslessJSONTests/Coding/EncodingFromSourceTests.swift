import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Encoding a value that was decoded from a text")
struct EncodingFromSourceTests {
    private typealias Item = CollectionsRoot.Item
    private typealias Unmarked = CollectionsRoot.Unmarked

    private static var root: CollectionsRoot {
        var root = CollectionsRoot()
        root.items = CollectionsRoot.manyItems(1_000)
        root.list = (0..<100).map(Item.init)
        root.inner.items = CollectionsRoot.manyItems(20)
        root.unmarked = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key \($0)", Unmarked($0)) })
        root.unmarkedList = (0..<100).map(Unmarked.init)
        return root
    }

    private static func parsed(_ text: String) throws -> JSON { try JSONDocument(parsing: text).value }

    @Test("Collections that the text has in the same way are encoded as its nodes") func same() throws {
        let source = try Self.parsed(JSONPrinter().string(JSONValueEncoder().encode(Self.root)))
        let encoded = try EncodingPair().encoding(Self.root, sharing: source).node
        let pointers: [JSONPointer] = ["/items", "/list", "/inner/items", "/unmarked", "/unmarkedList"]
        for pointer in pointers {
            #expect(try #require(encoded[at: pointer]).isIdentical(to: #require(source[at: pointer])), "\(pointer)")
        }
    }

    @Test("Elements are encoded as nodes of the text, also if it has other keys, in another order")
    func reordered() throws {
        var root = Self.root
        var source = try JSONValueEncoder().encode(root)
        for name in ["items", "unmarked"] {
            source[name] = .object(JSONObject(source[name]!.object!.reversed().map { ($0.key, $0.value) }))
        }
        source = try Self.parsed(JSONPrinter().string(source))
        root.items["item 7"] = nil
        root.items["another"] = Item(-1)
        root.unmarked["key 7"]?.name = "a name that is longer than fifteen bytes"
        let pair = EncodingPair()
        let encoded = try pair.encoding(root, sharing: source).node
        for number in 0..<1_000 where number != 7 {
            for pointer in [JSONPointer(["items", "item \(number)"]), JSONPointer(["unmarked", "key \(number)"])] {
                #expect(try #require(encoded[at: pointer]).isIdentical(to: #require(source[at: pointer])), "\(pointer)")
            }
        }
        // The order is that of encoding, so that members are inserted in their places.
        root.items["item 7"] = Item(7)
        root.items["another"] = nil
        try pair.encode(root)
    }

    @Test("A random text gives the same as encoding everything", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        // A text counts as a hundred edits.
        let texts = Thoroughness.edits(inFull: 4_000, otherwise: 1_500) / 100
        var random = SeededGenerator(seed)
        let pair = EncodingPair()
        var root = CollectionsRoot()
        for _ in 0..<texts {
            for _ in 0..<Int.random(in: 0...80, using: &random) { root.change(&random) }
            var respelling = Respelling(rarity: Int.random(in: 2...200, using: &random), random)
            let source = try Self.parsed(respelling.text(JSONValueEncoder().encode(root)))
            random = respelling.random
            for _ in 0..<Int.random(in: 0...3, using: &random) { root.change(&random) }
            pair.memory.forget()
            try pair.encode(root, sharing: source)
            for _ in 0..<3 {
                for _ in 0..<Int.random(in: 0...3, using: &random) { root.change(&random) }
                try pair.encode(root)
            }
        }
    }
}

/// Writes values in other words: some of what can be spelled in several ways, and some other values, keys and orders.
private struct Respelling {
    /// One in so many values, keys and objects is changed.
    let rarity: Int
    var random: SeededGenerator

    init(rarity: Int, _ random: SeededGenerator) { (self.rarity, self.random) = (rarity, random) }

    private mutating func isChanged() -> Bool { Int.random(in: 0..<rarity, using: &random) == 0 }

    mutating func text(_ value: JSON) -> String {
        switch value {
        case .object(let object):
            var members = object.map { ($0.key, $0.value) }
            if isChanged() { members.shuffle(using: &random) }
            if isChanged(), let member = members.randomElement(using: &random) { members.append(member) }
            if isChanged() { members.append(("unknown", .null)) }
            if isChanged(), !members.isEmpty { members.remove(at: Int.random(in: members.indices, using: &random)) }
            return "{" + members.map { "\(spelled($0)):\(text($1))" }.joined(separator: ",") + "}"
        case .array(let array):
            var elements = Array(array)
            if isChanged() { elements.reverse() }
            return "[" + elements.map { text($0) }.joined(separator: ",") + "]"
        case .string(let string): return isChanged() ? "1" : spelled(string.string)
        case .number:
            let number = Self.printed(value)
            guard isChanged() else { return number }
            if number.contains("e") { return "-0.0" }
            return number.contains(".") ? number + "0" : number + "e0"
        default: return isChanged() ? "{}" : Self.printed(value)
        }
    }

    /// The text of a value that is not a container, without the end of the line.
    private static func printed(_ value: JSON) -> String { String(JSONPrinter().string(value).dropLast()) }

    private mutating func spelled(_ string: String) -> String {
        let text = Self.printed(JSON(string))
        guard isChanged() else { return text }
        return text.replacing("a", with: "\\u0061")
    }
}
