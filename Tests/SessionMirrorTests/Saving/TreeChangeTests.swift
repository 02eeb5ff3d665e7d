import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("What an update changes in the tree of a file") struct TreeChangeTests {
    private func made(_ after: JSON, of before: JSON, in tree: JSON?) -> JSON? {
        var change = TreeChange()
        return change.making(after, of: before, in: tree)
    }

    @Test("what did not change is not put in, and keys that the type does not know stay") func sparse() {
        let before: JSON = ["a": 1, "b": ["c": 2, "d": 3]]
        #expect(made(["a": 1, "b": ["c": 2, "d": 4]], of: before, in: ["x": 0]) == ["x": 0, "b": ["d": 4]])
        #expect(made(before, of: before, in: ["x": 0]) == ["x": 0])
        #expect(made(before, of: before, in: nil) == nil)
        let known: JSON = ["b": ["c": 9, "y": 8]]
        #expect(made(["a": 1, "b": ["c": 5, "d": 3]], of: before, in: known) == ["b": ["c": 5, "y": 8]])
    }

    @Test("what is gone from the value goes from the tree, if it is there") func removed() {
        #expect(made(["a": 1], of: ["a": 1, "b": 2], in: ["b": 2, "x": 0]) == ["x": 0])
        #expect(made(["a": 1], of: ["a": 1, "b": 2], in: ["x": 0]) == ["x": 0])
        #expect(made([:], of: ["a": ["b": 1]], in: ["a": ["b": 1, "x": 0]]) == [:])
    }

    @Test("objects that the file left out are begun with what changed, and named") func begun() {
        var change = TreeChange()
        let before: JSON = ["a": ["b": ["c": 1, "d": 2]]]
        let tree = change.making(["a": ["b": ["c": 5, "d": 2]]], of: before, in: [:])
        #expect(tree == ["a": ["b": ["c": 5]]])
        #expect(change.begun == ["/a", "/a/b"])
    }

    @Test("a value of another kind takes the whole place") func kinds() {
        #expect(made(["a": [1]], of: ["a": 1], in: ["a": 1]) == ["a": [1]])
        #expect(made(["a": 1], of: ["a": ["b": 1]], in: ["a": ["b": 1, "x": 0]]) == ["a": 1])
        #expect(made(["a": ["b": 1]], of: ["a": 1], in: [:]) == ["a": ["b": 1]])
        #expect(made(["a": ["b": 2]], of: ["a": ["b": 1]], in: ["a": "else"]) == ["a": ["b": 2]])
    }

    @Test("a null that is put in stays a null, and one that goes away goes") func nulls() {
        #expect(made(["a": nil], of: ["a": 1], in: ["a": 1]) == ["a": nil])
        #expect(made(["a": 1], of: ["a": nil], in: ["a": nil]) == ["a": 1])
        #expect(made(["a": nil], of: ["a": 1], in: [:]) == ["a": nil])
        #expect(made([:], of: ["a": nil], in: ["a": nil]) == [:])
    }

    @Test("the spelling of a number that did not change stays") func spelling() throws {
        let tree = try JSON(parsing: #"{"a": 1.0, "b": 2.50}"#)
        let made = made(["a": 1, "b": 3], of: ["a": 1, "b": 2.5], in: tree)
        #expect(made?.description == #"{"a":1.0,"b":3}"#)
    }

    @Test("elements of an array that stay keep what the type does not know of them") func arrays() {
        let before: JSON = ["a": [["n": 1], ["n": 2], ["n": 3]]]
        let tree: JSON = ["a": [["n": 1, "x": 1], ["n": 2, "x": 2], ["n": 3, "x": 3]]]
        let changed: JSON = ["a": [["n": 1], ["n": 9], ["n": 3]]]
        #expect(
            made(changed, of: before, in: tree) == ["a": [["n": 1, "x": 1], ["n": 9, "x": 2], ["n": 3, "x": 3]]])
        let longer: JSON = ["a": [["n": 1], ["n": 2], ["n": 3], ["n": 4]]]
        #expect(
            made(longer, of: before, in: tree)
                == ["a": [["n": 1, "x": 1], ["n": 2, "x": 2], ["n": 3, "x": 3], ["n": 4]]])
        let shorter: JSON = ["a": [["n": 1], ["n": 3]]]
        #expect(made(shorter, of: before, in: tree) == ["a": [["n": 1, "x": 1], ["n": 3, "x": 3]]])
    }

    @Test("an array that is no longer like the value's is written as a whole") func otherArrays() {
        #expect(made(["a": [1, 2]], of: ["a": [1]], in: ["a": [7, 8, 9]]) == ["a": [1, 2]])
        #expect(made(["a": [1, 2]], of: ["a": [1]], in: [:]) == ["a": [1, 2]])
        #expect(made(["a": []], of: ["a": [1]], in: ["a": [1]]) == ["a": []])
    }
}

/// A value with all that makes the tree of its file another than its own form in JSON: defaults, dictionaries, arrays of
/// objects, values that may be missing.
private struct Sample: Codable, Equatable, Sendable {
    struct Part: Codable, Equatable, Sendable, Defaulted {
        var number = 1
        var name: String? = nil
    }

    var count = 3
    var title: String? = "none"
    var part = Part()
    var parts = [Part(number: 7)]
    var table = ["a": 1, "b": 2]
    var named = ["p": Part(number: 5, name: "five")]
}

@Suite("Updates of a value that belongs to a file") struct ComposedUpdateTests {
    private static let coding = Coding(
        conversions: .standard, defaults: try! JSONValueEncoder(conversions: .standard).encode(Sample()))

    private func read(_ tree: JSON) throws -> Sample { try Self.coding.decode(Sample.self, from: tree) }

    private func updated(_ tree: JSON, _ change: (inout Sample) -> Void) throws -> (tree: JSON, value: Sample) {
        var value = try read(tree)
        let edition = Edition(value, version: .first, origin: .initial, source: .tree(tree))
        change(&value)
        let next = Edition(
            value, version: .first.next, origin: .update, source: .update(of: edition.basis(with: Self.coding)))
        return (try next.tree(), value)
    }

    @Test("an entry of a dictionary that the file left out brings the others, which would be gone otherwise")
    func dictionary() throws {
        let (tree, value) = try updated([:]) { $0.table["c"] = 3 }
        #expect(tree == ["table": ["a": 1, "b": 2, "c": 3]])
        #expect(try read(tree) == value)
        let (removed, without) = try updated([:]) { $0.table["a"] = nil }
        #expect(removed == ["table": ["b": 2]])
        #expect(try read(removed) == without)
        let (there, _) = try updated(["table": ["x": 9]]) { $0.table["c"] = 3 }
        #expect(there == ["table": ["x": 9, "c": 3]])
    }

    @Test("a value that becomes nil is null where its default is not") func nils() throws {
        let (tree, value) = try updated(["x": 1]) { $0.title = nil }
        #expect(tree == ["x": 1, "title": nil])
        #expect(try read(tree) == value)
    }

    @Test("reading what was written gives what was meant, and unknown keys stay", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var random = RandomOrder(
            seed: seed, start: RandomOrder.Start(isMissing: false, isMemoryRight: false, program: .typed))
        for number in 0..<500 {
            var tree = randomTree(&random)
            for step in 0..<4 {
                let changes = (0...Int.random(in: 0..<3, using: &random)).map { _ in
                    Int.random(in: 0..<12, using: &random)
                }
                let argument = Int.random(in: 0..<4, using: &random)
                let before = tree
                let next = try updated(tree) { value in for change in changes { Self.make(change, argument, &value) } }
                tree = next.tree
                let isKept =
                    before["unknown"] == tree["unknown"] && before["part", "unknown"] == tree["part", "unknown"]
                guard try read(tree) == next.value, isKept else {
                    Issue.record("seed \(seed), \(number), step \(step): \(changes) of \(before) gave \(tree)")
                    return
                }
            }
        }
    }

    private func randomTree(_ random: inout RandomOrder) -> JSON {
        var tree: JSON = [:]
        let members: [(String, [JSON])] = [
            ("unknown", [1, ["a": [1]]]), ("count", [3, 4]), ("title", [nil, "t"]),
            ("part", [[:], ["unknown": 1], ["number": 2, "unknown": [1]], ["name": "n"], ["name": nil]]),
            ("parts", [[], [[:]], [["number": 1, "unknown": 1], ["name": "x"]]]),
            ("table", [[:], ["a": 1], ["z": 26, "a": 2]]), ("named", [[:], ["q": [:]], ["p": ["unknown": 2]]]),
        ]
        for (key, values) in members where Bool.random(using: &random) {
            tree[key] = values.randomElement(using: &random)!
        }
        return tree
    }

    private static func make(_ change: Int, _ argument: Int, _ value: inout Sample) {
        switch change {
        case 0: value.count = argument
        case 1: value.title = argument == 0 ? nil : "t\(argument)"
        case 2: value.part.number = argument
        case 3: value.part.name = argument == 0 ? nil : "n\(argument)"
        case 4: value.parts.append(Sample.Part(number: argument))
        case 5: if !value.parts.isEmpty { value.parts.removeFirst() }
        case 6: if !value.parts.isEmpty { value.parts[0].name = argument == 0 ? nil : "m\(argument)" }
        case 7: value.table["k\(argument)"] = argument
        case 8: value.table["a"] = argument == 0 ? nil : argument
        case 9: value.named["p", default: Sample.Part()].number = argument
        case 10: value.named["q"] = argument == 0 ? nil : Sample.Part(number: argument)
        default: value.part = Sample.Part()
        }
    }
}
