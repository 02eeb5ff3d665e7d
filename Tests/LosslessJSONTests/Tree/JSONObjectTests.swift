import Testing

@testable import LosslessJSON

@Suite("An object")
struct JSONObjectTests {
    static func many(_ count: Int) -> JSONObject { JSONObject((0..<count).map { ("key \($0)", JSON($0)) }) }

    @Test("A replaced value keeps its position, and a new member is appended", arguments: [3, 32, 33, 1_000])
    func order(count: Int) {
        var object = JSONObjectTests.many(count)
        object["key 1"] = "replaced"
        object["new"] = "appended"
        #expect(Array(object.keys) == (0..<count).map { "key \($0)" } + ["new"])
        #expect(Array(object.values)[1] == "replaced" && Array(object.values).last == "appended")
    }

    @Test("Assigning a member its current value leaves the object identical", arguments: [3, 33, 1_000])
    func settingTheSame(count: Int) {
        let object = JSONObjectTests.many(count)
        var copy = object
        copy["key 1"] = 1
        copy["not there"] = nil
        #expect(copy.isIdentical(to: object))
        copy["key 1"] = 2
        #expect(!copy.isIdentical(to: object))
    }

    @Test(
        "A number with another spelling is equal but not identical and replaces the old spelling", arguments: [3, 33])
    func otherSpelling(count: Int) throws {
        let object = JSONObjectTests.many(count)
        var copy = object
        copy["key 1"] = .number(try #require(JSONNumber(spelling: "1.0")))
        #expect(copy == object)
        #expect(!copy.isIdentical(to: object))
        #expect(copy["key 1"]?.number?.spelling == "1.0")
    }

    @Test("Equality and hash of objects ignore the order of members", arguments: [2, 32, 33, 500])
    func equalityIgnoresOrder(count: Int) {
        let object = JSONObjectTests.many(count)
        let reversed = JSONObject(object.reversed().map { ($0.key, $0.value) })
        #expect(object == reversed && object.hashValue == reversed.hashValue)
        #expect(JSON.object(object) == .object(reversed))
        var changed = reversed
        changed["key 0"] = "different"
        #expect(object != changed && changed != object)
        changed = reversed
        changed["key 0"] = nil
        #expect(object != changed && changed != object)
        changed["other key"] = 0
        #expect(object != changed && changed != object, "the same number of members, but one key differs")
    }

    @Test("Objects with and without tombstones are equal if their members are equal")
    func formsAreEqual() {
        let small = JSONObjectTests.many(20)
        var sparse = JSONObjectTests.many(38)
        for number in 20..<38 { sparse["key \(number)"] = nil }
        #expect(sparse.positionCount == 38, "the object must have tombstones")
        #expect(small == sparse && sparse == small && small.hashValue == sparse.hashValue)
        sparse["key 3"] = "different"
        #expect(small != sparse && sparse != small)
    }

    @Test("A null member counts as a member")
    func nullMembers() {
        var object: JSONObject = ["a": nil, "b": 1]
        #expect(object.count == 2)
        #expect(object["a"] == JSON.null && object["c"] == Optional<JSON>.none)
        object["b"] = .null
        #expect(object.count == 2 && object["b"] == JSON.null)
        object["b"] = nil
        #expect(object.count == 1 && object["b"] == Optional<JSON>.none)
    }

    @Test("The last value of a duplicate key counts, at its last position", arguments: [2, 31, 32, 33, 34, 200])
    func duplicateKeys(count: Int) {
        let keys = (0..<count).map { "key \($0 % max(1, count / 2))" }
        let object = JSONObject(keys.enumerated().map { ($1, JSON($0)) })
        #expect(object.fault == nil)
        #expect(object.count == count / 2)
        #expect(Array(object.values) == (count - count / 2..<count).map { JSON($0) })
    }

    @Test("Object literals keep their order and the last value of a duplicate key")
    func literals() {
        let object: JSONObject = ["z": 1, "a": [1, "two", 3.5], "z": true, "n": nil]
        #expect(object.description == #"{"a":[1,"two",3.5],"z":true,"n":null}"#)
        let value: JSON = ["z": 1, "a": ["b": nil], "z": false]
        #expect(value.description == #"{"a":{"b":null},"z":false}"#)
        #expect(JSONObject().description == "{}")
    }

    @Test("An object is a collection with indices and slices", arguments: [0, 1, 5, 32, 33, 100])
    func collection(count: Int) {
        let object = JSONObjectTests.many(count)
        #expect(object.isEmpty == (count == 0))
        #expect(object.indices.count == count && object.distance(from: object.startIndex, to: object.endIndex) == count)
        #expect(object.indices.map { object[$0].key } == Array(object.keys))
        #expect(object.first?.value == (count == 0 ? nil : 0))
        #expect(object.dropFirst(2).map(\.key) == Array(object.keys.dropFirst(2)))
        #expect(object.prefix(3).map(\.value) == Array(object.values.prefix(3)))
        #expect(object.firstIndex { $0.key == "key 4" }.map { object[$0].value } == (count > 4 ? 4 : nil))
    }

    @Test("Indices of an object skip tombstones")
    func collectionWithTombstones() {
        var object = JSONObjectTests.many(64)
        let removed = [0, 1, 30, 31, 32, 33, 62, 63]
        for number in removed { object["key \(number)"] = nil }
        #expect(object.positionCount == 64, "the object must have tombstones")
        let left = (0..<64).filter { !removed.contains($0) }
        #expect(object.indices.map { object[$0].value } == left.map { JSON($0) })
        #expect(object.first?.key == "key 2")
        #expect(object.dropFirst(28).first?.key == "key 34")
        let middle = object.index(object.startIndex, offsetBy: 10)..<object.index(object.startIndex, offsetBy: 12)
        #expect(object[middle].map(\.key) == ["key 12", "key 13"])
        #expect(object.count == left.count)
    }
}
