import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Patching the tree of a file") struct TreePatcherTests {
    private func patched(_ after: JSON, of before: JSON, in tree: JSON?) -> JSON? {
        var patcher = TreePatcher()
        return patcher.patched(tree, from: before, to: after)
    }

    @Test("Unchanged keys are not added, and keys unknown to the type stay") func sparse() {
        let before: JSON = ["a": 1, "b": ["c": 2, "d": 3]]
        #expect(patched(["a": 1, "b": ["c": 2, "d": 4]], of: before, in: ["x": 0]) == ["x": 0, "b": ["d": 4]])
        #expect(patched(before, of: before, in: ["x": 0]) == ["x": 0])
        #expect(patched(before, of: before, in: nil) == nil)
        let known: JSON = ["b": ["c": 9, "y": 8]]
        #expect(patched(["a": 1, "b": ["c": 5, "d": 3]], of: before, in: known) == ["b": ["c": 5, "y": 8]])
    }

    @Test("Keys are added in the order of the value") func order() {
        let after: JSON = ["a": 1, "b": 2, "c": 3, "d": 4]
        #expect(patched(after, of: ["c": 0, "b": 1], in: ["x": 0])?.description == #"{"x":0,"a":1,"b":2,"c":3,"d":4}"#)
    }

    @Test("A key removed from the value is removed from the tree") func removed() {
        #expect(patched(["a": 1], of: ["a": 1, "b": 2], in: ["b": 2, "x": 0]) == ["x": 0])
        #expect(patched(["a": 1], of: ["a": 1, "b": 2], in: ["x": 0]) == ["x": 0])
        #expect(patched([:], of: ["a": ["b": 1]], in: ["a": ["b": 1, "x": 0]]) == [:])
    }

    @Test("Objects missing from the tree are created with the changed keys and listed") func begun() {
        var patcher = TreePatcher()
        let before: JSON = ["a": ["b": ["c": 1, "d": 2]]]
        let tree = patcher.patched([:], from: before, to: ["a": ["b": ["c": 5, "d": 2]]])
        #expect(tree == ["a": ["b": ["c": 5]]])
        #expect(patcher.createdObjects == ["/a", "/a/b"])
    }

    @Test("A value of another kind replaces the whole subtree") func kinds() {
        #expect(patched(["a": [1]], of: ["a": 1], in: ["a": 1]) == ["a": [1]])
        #expect(patched(["a": 1], of: ["a": ["b": 1]], in: ["a": ["b": 1, "x": 0]]) == ["a": 1])
        #expect(patched(["a": ["b": 1]], of: ["a": 1], in: [:]) == ["a": ["b": 1]])
        #expect(patched(["a": ["b": 2]], of: ["a": ["b": 1]], in: ["a": "else"]) == ["a": ["b": 2]])
    }

    @Test("A null is written as null, and a removed null is removed") func nulls() {
        #expect(patched(["a": nil], of: ["a": 1], in: ["a": 1]) == ["a": nil])
        #expect(patched(["a": 1], of: ["a": nil], in: ["a": nil]) == ["a": 1])
        #expect(patched(["a": nil], of: ["a": 1], in: [:]) == ["a": nil])
        #expect(patched([:], of: ["a": nil], in: ["a": nil]) == [:])
    }

    @Test("An unchanged number keeps its spelling") func spelling() throws {
        let tree = try JSON(parsing: #"{"a": 1.0, "b": 2.50}"#)
        let result = patched(["a": 1, "b": 3], of: ["a": 1, "b": 2.5], in: tree)
        #expect(result?.description == #"{"a":1.0,"b":3}"#)
    }

    @Test("Array elements that stay keep their keys unknown to the type") func arrays() {
        let before: JSON = ["a": [["n": 1], ["n": 2], ["n": 3]]]
        let tree: JSON = ["a": [["n": 1, "x": 1], ["n": 2, "x": 2], ["n": 3, "x": 3]]]
        let changed: JSON = ["a": [["n": 1], ["n": 9], ["n": 3]]]
        #expect(
            patched(changed, of: before, in: tree) == ["a": [["n": 1, "x": 1], ["n": 9, "x": 2], ["n": 3, "x": 3]]])
        let longer: JSON = ["a": [["n": 1], ["n": 2], ["n": 3], ["n": 4]]]
        #expect(
            patched(longer, of: before, in: tree)
                == ["a": [["n": 1, "x": 1], ["n": 2, "x": 2], ["n": 3, "x": 3], ["n": 4]]])
        let shorter: JSON = ["a": [["n": 1], ["n": 3]]]
        #expect(patched(shorter, of: before, in: tree) == ["a": [["n": 1, "x": 1], ["n": 3, "x": 3]]])
    }

    @Test("An array that differs from the previous value is replaced as a whole") func otherArrays() {
        #expect(patched(["a": [1, 2]], of: ["a": [1]], in: ["a": [7, 8, 9]]) == ["a": [1, 2]])
        #expect(patched(["a": [1, 2]], of: ["a": [1]], in: [:]) == ["a": [1, 2]])
        #expect(patched(["a": []], of: ["a": [1]], in: ["a": [1]]) == ["a": []])
    }
}

/// A value with everything that makes the tree of its file differ from its encoding: defaults, dictionaries, arrays of
/// objects, optional values.
private struct Sample: Codable, Equatable, Sendable {
    struct Component: Codable, Equatable, Sendable, Defaulted {
        var number = 1
        var name: String? = nil
    }

    var count = 3
    var title: String? = "none"
    var part = Component()
    var parts = [Component(number: 7)]
    var table = ["a": 1, "b": 2]
    var named = ["p": Component(number: 5, name: "five")]
}

@Suite("Updates of a value that was decoded from a file") struct ComposedUpdateTests {
    private static let coder = RootCoder(
        conversions: .standard, defaults: try! JSONValueEncoder(conversions: .standard).encode(Sample()))

    private func read(_ tree: JSON) throws -> Sample { try Self.coder.decode(Sample.self, from: tree) }

    private func updated(_ tree: JSON, _ change: (inout Sample) -> Void) throws -> (tree: JSON, value: Sample) {
        var value = try read(tree)
        let snapshot = SnapshotStorage(value, version: .first, origin: .initial, source: .tree(tree))
        change(&value)
        let next = SnapshotStorage(
            value, version: .first.next, origin: .update, source: .update(of: snapshot.baseline(with: Self.coder)))
        return (try next.tree(), value)
    }

    @Test("Changing an entry of a dictionary that the file leaves out writes the other entries, too")
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

    @Test("A value set to nil is written as null if its default is not nil") func nils() throws {
        let (tree, value) = try updated(["x": 1]) { $0.title = nil }
        #expect(tree == ["x": 1, "title": nil])
        #expect(try read(tree) == value)
    }

    @Test(
        "The tree of a random update decodes to the updated value and keeps unknown keys",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for number in 0..<(Thoroughness.isFull ? 500 : 100) {
            var tree = randomTree(&random)
            for step in 0..<4 {
                let changes = (0...Int.random(in: 0..<3, using: &random)).map { _ in
                    Int.random(in: 0..<12, using: &random)
                }
                let argument = Int.random(in: 0..<4, using: &random)
                let before = tree
                let next = try updated(tree) { value in for change in changes { Self.apply(change, argument, &value) }
                }
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

    private func randomTree(_ random: inout SeededGenerator) -> JSON {
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

    private static func apply(_ change: Int, _ argument: Int, _ value: inout Sample) {
        switch change {
        case 0: value.count = argument
        case 1: value.title = argument == 0 ? nil : "t\(argument)"
        case 2: value.part.number = argument
        case 3: value.part.name = argument == 0 ? nil : "n\(argument)"
        case 4: value.parts.append(Sample.Component(number: argument))
        case 5: if !value.parts.isEmpty { value.parts.removeFirst() }
        case 6: if !value.parts.isEmpty { value.parts[0].name = argument == 0 ? nil : "m\(argument)" }
        case 7: value.table["k\(argument)"] = argument
        case 8: value.table["a"] = argument == 0 ? nil : argument
        case 9: value.named["p", default: Sample.Component()].number = argument
        case 10: value.named["q"] = argument == 0 ? nil : Sample.Component(number: argument)
        default: value.part = Sample.Component()
        }
    }
}
