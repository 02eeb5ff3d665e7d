import Foundation
import LosslessJSON
import TestSupport
import Testing

/// An encoder is used again for other values, and keys are sorted by their first bytes: what must not be seen of that.
@Suite("Encoder") struct EncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        try JSONPrinter(layout: .compact).string(JSONValueEncoder().encode(value))
    }

    /// Keeps the encoders of the values that it encodes, and writes into them later.
    private final class Keeper {
        var encoders: [any Encoder] = []
    }

    private struct Kept: Encodable {
        let keeper: Keeper
        let number: Int

        private enum CodingKeys: CodingKey { case number, late }

        func encode(to encoder: any Encoder) throws {
            for kept in keeper.encoders {
                var container = kept.container(keyedBy: CodingKeys.self)
                try container.encode("late", forKey: .late)
            }
            keeper.encoders.append(encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
        }
    }

    @Test("What is written into an encoder after its value was encoded has no effect on other values")
    func keptEncoders() throws {
        let keeper = Keeper()
        let values = (1...3).map { Kept(keeper: keeper, number: $0) }
        #expect(try text(values) == #"[{"number":1},{"number":2},{"number":3}]"#)
        #expect(keeper.encoders.map { $0.codingPath.map(\.intValue) } == [[0], [1], [2]])
    }

    @Test("An encoder that is kept keeps its path, also if its collection is remembered") func keptPaths() throws {
        let keeper = Keeper()
        func paths() -> [[String]] { keeper.encoders.map { $0.codingPath.map(\.stringValue) } }
        _ = try text(["a": [1, 2], "b": [3]].mapValues { $0.map { Kept(keeper: keeper, number: $0) } })
        #expect(paths() == [["a", "0"], ["a", "1"], ["b", "0"]])

        let memory = EncodingMemory()
        let names = (10..<40).map { "key-\($0)" }
        let many = Dictionary(uniqueKeysWithValues: names.map { ($0, [Kept(keeper: keeper, number: 0)]) })
        for _ in 1...3 {
            keeper.encoders = []
            _ = try JSONValueEncoder().encode(["many": many], defaults: nil, memory)
            #expect(paths() == names.map { ["many", $0, "0"] })
        }
    }

    /// Each type of `content` gives this struct another type of keys.
    private struct Layer<Content: Codable>: Codable {
        var depth: Int
        var content: Content
    }

    @Test("More types of keys than are remembered at once are each encoded and decoded with their own")
    func manyTypesOfKeys() throws {
        func decoded<Value: Decodable>(_ tree: JSON, like _: Value) throws -> Value {
            try JSONValueDecoder().decode(Value.self, from: tree)
        }
        func check(_ value: some Codable, depth: Int) throws {
            let tree = try JSONValueEncoder().encode([value, value, value])
            let decoded = try decoded(tree, like: [value])
            #expect(try JSONValueEncoder().encode(decoded) == tree)
            let expected = (1...depth).reduce("0") { #"{"depth":\#($1),"content":\#($0)}"# }
            #expect(JSONPrinter(layout: .compact).string(tree) == "[\(expected),\(expected),\(expected)]")
            if depth < 40 { try check(Layer(depth: depth + 1, content: value), depth: depth + 1) }
        }
        try check(Layer(depth: 1, content: 0), depth: 1)
    }

    /// Fills nested containers in another order than that in which it has requested them.
    private struct Interleaved: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NamedKey.self)
            var list = container.nestedUnkeyedContainer(forKey: "list")
            var object = container.nestedContainer(keyedBy: NamedKey.self, forKey: "object")
            try container.encode(["a": [1, 2]], forKey: "between")
            var inner = list.nestedUnkeyedContainer()
            try object.encode([Int?.none, 3], forKey: "optionals")
            try list.encode("after")
            try inner.encode(1.5)
            #expect(inner.codingPath.suffix(2).map(\.stringValue) == ["list", "0"])
            var again = container.nestedContainer(keyedBy: NamedKey.self, forKey: "object")
            try again.encode(true, forKey: "again")
        }
    }

    @Test("Nested containers may be filled in any order") func nestedContainers() throws {
        let expected = #"{"list":[[1.5],"after"],"object":{"optionals":[null,3],"again":true},"between":{"a":[1,2]}}"#
        #expect(try text(Interleaved()) == expected)
        #expect(try text([Interleaved(), Interleaved()]) == "[\(expected),\(expected)]")
    }

    private struct Failing: Encodable {
        struct EncodingFailure: Error {}

        let number: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NamedKey.self)
            try container.encode(number, forKey: "number")
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(number)
            if number < 0 { throw EncodingFailure() }
        }
    }

    /// Encodes another value instead of one that cannot be encoded.
    private struct Forgiving: Encodable {
        let value: Failing

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NamedKey.self)
            do {
                try container.encode(["deep": [value]], forKey: "value")
            } catch {
                try container.encode("none", forKey: "value")
            }
        }
    }

    @Test("A value that could not be encoded leaves nothing behind in others") func caughtErrors() throws {
        let values = [1, -1, 2].map { Forgiving(value: Failing(number: $0)) }
        func whole(_ number: Int) -> String { #"{"value":{"deep":[{"number":\#(number),"list":[\#(number)]}]}}"# }
        #expect(try text(values) == "[\(whole(1)),{\"value\":\"none\"},\(whole(2))]")
    }

    private struct Settings: Encodable {
        var rows: [String: [Int: [Double]]]
    }

    @Test("An error has the path through objects, dictionaries and arrays") func errorPath() throws {
        let error = #expect(throws: JSONCodingError.self) {
            try JSONValueEncoder().encode(Settings(rows: ["a": [:], "b": [7: [0, .infinity]]]))
        }
        #expect(error?.path == JSONPointer(["rows", "b", "7", "1"]))
        let failing = #expect(throws: JSONCodingError.self) {
            try JSONValueEncoder().encode(["x": [Failing(number: 1), Failing(number: -1)]])
        }
        #expect(failing?.path == JSONPointer(["x", "1"]))
        #expect(failing?.underlying is Failing.EncodingFailure)
    }

    @Test("Keys are sorted by all their bytes") func keyOrder() throws {
        let keys = [
            "", "\0", "a", "a\0", "a\0b", "aa", "eight888", "eight888\0", "eight8889", "fourteen bytes",
            "fifteen bytes.", "fifteen bytes. and more", "fifteen bytes. and mort", "ä", "🙂", "\u{FFFF}", "Z", "z",
        ]
        let table = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try JSONValueEncoder().encode(table).object.map { Array($0.keys) } == sorted)
    }

    @Test("Keys that are values of a document are decoded") func escapedKeys() throws {
        let keys = try JSON(parsing: #"["\u0041b", "longer than a short text, \t with a tab"]"#)
        let table = [keys[0]!: 1, keys[1]!: 2]
        let encoded = try JSONValueEncoder().encode(table)
        #expect(encoded["Ab"] == 1 && encoded["longer than a short text, \t with a tab"] == 2)
        #expect(try text(table) == #"{"Ab":1,"longer than a short text, \t with a tab":2}"#)
    }

    @Test("Whole numbers of every length are written in full", arguments: 0...18) func digits(zeros: Int) throws {
        let power = (0..<zeros).reduce(1) { product, _ in product * 10 }
        for number in [power, power - 1, power + 1, -power, 1 - power, .min, .max] {
            #expect(try text(number) == String(number))
            #expect(try text([number]) == "[\(number)]")
            #expect(try JSONValueEncoder().encode(number) == JSON(parsing: String(number)))
        }
    }

    private struct Random: Codable {
        var text: String
        var whole: Int
        var fraction: Double
        var flag: Bool?
        var small: Int8
        var names: [String]
        var nested: [Random]
        var table: [String: Random]
        var numbers: [Int: [Double?]]

        init(_ generator: inout some RandomNumberGenerator, depth: Int) {
            func count() -> Range<Int> { 0..<Int.random(in: 0...3, using: &generator) }
            func word() -> String {
                let letters = ["a", "b", "key", "ü", "🙂", "\"", "\\", "\n", "long enough for no short text"]
                return count().map { _ in letters.randomElement(using: &generator)! }.joined()
            }
            text = word()
            whole = Int.random(in: .min ... .max, using: &generator) >> Int.random(in: 0...63, using: &generator)
            fraction = Double.random(in: -1e6...1e6, using: &generator)
            flag = Bool?.some(.random(using: &generator)).flatMap { $0 ? $0 : nil }
            small = .random(in: .min ... .max, using: &generator)
            names = count().map { _ in word() }
            nested = depth == 0 ? [] : count().map { _ in Random(&generator, depth: depth - 1) }
            table = [:]
            if depth > 0 { for _ in count() { table[word()] = Random(&generator, depth: depth - 1) } }
            numbers = [:]
            for _ in count() { numbers[.random(in: -9...9, using: &generator)] = [1.5, nil] }
        }
    }

    @Test("Random values are encoded to the value that JSONEncoder encodes them to") func foundation() throws {
        var generator = SeededGenerator(7)
        for _ in 0..<200 {
            let value = Random(&generator, depth: 3)
            let theirs = try JSON(parsing: String(decoding: JSONEncoder().encode(value), as: UTF8.self))
            #expect(try JSONValueEncoder().encode(value) == theirs)
        }
    }
}

/// A key of any name.
private struct NamedKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}
