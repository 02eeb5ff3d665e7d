import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Differences")
struct DifferenceTests {
    static func lines(_ old: String, _ new: String) throws -> [String] {
        try JSON(parsing: new).difference(from: JSON(parsing: old)).map(\.description)
    }

    @Test(
        "A difference lists added, removed and changed values at the deepest path",
        arguments: [
            ("1", "1", []), ("1", "1.0", []), (#""\u0061""#, #""a""#, []), ("1", "2", [": 1 → 2"]),
            (#"{"a": 1}"#, #"{"a": 2}"#, ["a: 1 → 2"]), (#"{"a": 1}"#, "{}", ["a: 1 → (none)"]),
            ("{}", #"{"a": null}"#, ["a: (none) → null"]), (#"{"a": null}"#, "{}", ["a: null → (none)"]),
            (#"{"a": {"b": [1, {"c": 2}]}}"#, #"{"a": {"b": [1, {"c": 3}]}}"#, ["a.b.1.c: 2 → 3"]),
            (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, []), ("[]", "{}", [": [] → {}"]),
            (#"{"a.b": 1}"#, #"{"a.b": 2}"#, ["/a.b: 1 → 2"]), (#"{"": 1}"#, #"{"": 2}"#, ["/: 1 → 2"]),
            (#"{"a": [1]}"#, #"{"a": 1}"#, ["a: [1] → 1"]),
        ])
    func table(old: String, new: String, expected: [String]) throws {
        #expect(try DifferenceTests.lines(old, new) == expected)
    }

    @Test(
        "Arrays of different lengths are compared between their common prefix and suffix",
        arguments: [
            ("[1,2,3]", "[1,9,3]", ["1: 2 → 9"]), ("[1,2,3]", "[1,3]", ["1: 2 → (none)"]),
            ("[1,3]", "[1,2,3]", ["1: (none) → 2"]), ("[]", "[1,2]", ["0: (none) → 1", "1: (none) → 2"]),
            ("[1,2]", "[]", ["1: 2 → (none)", "0: 1 → (none)"]), ("[1,1,1]", "[1,1]", ["2: 1 → (none)"]),
            ("[1,2,3,4]", "[1,8,4]", ["1: 2 → 8", "2: 3 → (none)"]),
            ("[1,4]", "[1,8,9,4]", ["1: (none) → 8", "2: (none) → 9"]),
            (#"[{"a":1},2]"#, #"[0,{"a":1},2]"#, ["0: (none) → 0"]),
        ])
    func arrays(old: String, new: String, expected: [String]) throws {
        #expect(try DifferenceTests.lines(old, new) == expected)
    }

    @Test(
        "The difference of unrelated random values matches the model and transforms one into the other",
        arguments: SeededGenerator.seeds)
    func unrelated(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<40 {
            let (old, new) = (RandomText(&random), RandomText(&random))
            let fault = try DifferenceModel.fault(of: JSON(parsing: old.text()), JSON(parsing: new.text()))
            #expect(fault == nil, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "The difference of a random value and its edited version matches the model in both directions",
        arguments: SeededGenerator.seeds)
    func edited(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<40 {
            let old = RandomText(&random)
            let new = (0...random.below(4)).reduce(old) { sketch, _ in sketch.edited(&random) }
            let (before, after) = (try JSON(parsing: old.text()), try JSON(parsing: new.text()))
            let fault = DifferenceModel.fault(of: before, after) ?? DifferenceModel.fault(of: after, before)
            #expect(fault == nil, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "The difference of two versions of an object is correct at every size, with and without tombstones",
        arguments: SeededGenerator.seeds,
        [20, 31, 32, 33, 34, 64, 200])
    func versions(seed: UInt64, count: Int) {
        var random = SeededGenerator(seed)
        let keys = (0..<count + 10).map { "key \($0)" }
        var versions = [JSON.object(JSONObject(keys.prefix(count).map { ($0, 0) }))]
        for step in 1..<60 {
            var version = random.chance(80) ? versions.last! : random.pick(versions)
            version[random.pick(keys)] = random.chance(50) ? .none : JSON(step)
            versions.append(version)
        }
        for round in 0..<40 {
            let fault = DifferenceModel.fault(of: random.pick(versions), random.pick(versions))
            #expect(fault == nil, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "The difference of two versions of an array is correct around every page size",
        arguments: SeededGenerator.seeds,
        [31, 32, 33, 1_024])
    func arrayVersions(seed: UInt64, count: Int) {
        var random = SeededGenerator(seed)
        var versions = [JSONArray(repeating: 0, count: count)]
        for step in 1..<20 {
            var version = versions.last!
            switch random.below(4) {
            case 0: version.append(JSON(step))
            case 1: version.insert(JSON(step), at: random.below(version.count))
            case 2: version.remove(at: random.below(version.count))
            default: version[random.below(version.count)] = JSON(step)
            }
            versions.append(version)
        }
        for round in 0..<5 {
            let fault = DifferenceModel.fault(of: .array(random.pick(versions)), .array(random.pick(versions)))
            #expect(fault == nil, "seed \(seed), round \(round)")
        }
    }

    @Test("The difference of large objects contains exactly the changed members")
    func largeObject() {
        let old = JSON.object(JSONObject((0..<5_000).map { ("key \($0)", ["value": JSON($0)]) }))
        var new = old
        for number in [0, 31, 32, 2_500, 4_999] { new["key \(number)"]?["value"] = "new" }
        new["key 77"] = nil
        new["another"] = true
        let changes = new.difference(from: old)
        #expect(
            changes.map(\.path.description).sorted() == [
                "/another", "/key 0/value", "/key 2500/value", "/key 31/value", "/key 32/value", "/key 4999/value",
                "/key 77",
            ])
        #expect(DifferenceModel.fault(of: new, old) == nil)
    }

    @Test("The kind of a change follows from its values, and null counts as a value")
    func kinds() throws {
        let changes = try JSON(parsing: #"{"a": null, "b": 1}"#).difference(
            from: JSON(parsing: #"{"b": null, "c": null}"#))
        let kinds = Dictionary(uniqueKeysWithValues: changes.map { ($0.path.dotted, $0.kind) })
        #expect(kinds == ["a": .added, "b": .changed, "c": .removed])
    }
}
