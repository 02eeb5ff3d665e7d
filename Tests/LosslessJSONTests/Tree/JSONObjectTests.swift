import Testing

@testable import LosslessJSON

@Suite("An object")
struct JSONObjectTests {
    static func many(_ count: Int) -> JSONObject { JSONObject((0..<count).map { ("key \($0)", JSON($0)) }) }

    @Test("a replaced value stays where it stands, a new one goes to the end", arguments: [3, 32, 33, 1_000])
    func order(count: Int) {
        var object = JSONObjectTests.many(count)
        object["key 1"] = "replaced"
        object["new"] = "appended"
        #expect(Array(object.keys) == (0..<count).map { "key \($0)" } + ["new"])
        #expect(Array(object.values)[1] == "replaced" && Array(object.values).last == "appended")
    }

    @Test("setting what is there already gives the very same object", arguments: [3, 33, 1_000])
    func settingTheSame(count: Int) {
        let object = JSONObjectTests.many(count)
        var copy = object
        copy["key 1"] = 1
        copy["not there"] = nil
        #expect(copy.isIdentical(to: object))
        copy["key 1"] = 2
        #expect(!copy.isIdentical(to: object))
    }

    @Test("a number in another spelling is equal but not the same, and replaces the old spelling", arguments: [3, 33])
    func otherSpelling(count: Int) throws {
        let object = JSONObjectTests.many(count)
        var copy = object
        copy["key 1"] = .number(try #require(JSONNumber(spelling: "1.0")))
        #expect(copy == object)
        #expect(!copy.isIdentical(to: object))
        #expect(copy["key 1"]?.number?.spelling == "1.0")
    }

    @Test("the order of members does not matter to equality and hash", arguments: [2, 32, 33, 500])
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
        #expect(object != changed && changed != object, "as many members, but one key differs")
    }

    @Test("small, large and gapped objects with the same members are equal and hash alike")
    func formsAreEqual() {
        let small = JSONObjectTests.many(20)
        var gapped = JSONObjectTests.many(38)
        for number in 20..<38 { gapped["key \(number)"] = nil }
        #expect(gapped.places == 38, "this is about an object with gaps")
        #expect(small == gapped && gapped == small && small.hashValue == gapped.hashValue)
        gapped["key 3"] = "different"
        #expect(small != gapped && gapped != small)
    }

    @Test("a null member is a member")
    func nullMembers() {
        var object: JSONObject = ["a": nil, "b": 1]
        #expect(object.count == 2)
        #expect(object["a"] == JSON.null && object["c"] == Optional<JSON>.none)
        object["b"] = .null
        #expect(object.count == 2 && object["b"] == JSON.null)
        object["b"] = nil
        #expect(object.count == 1 && object["b"] == Optional<JSON>.none)
    }

    @Test("of a repeated key the last value stays, at the last place", arguments: [2, 31, 32, 33, 34, 200])
    func repeatedKeys(count: Int) {
        let keys = (0..<count).map { "key \($0 % max(1, count / 2))" }
        let object = JSONObject(keys.enumerated().map { ($1, JSON($0)) })
        #expect(object.fault == nil)
        #expect(object.count == count / 2)
        #expect(Array(object.values) == (count - count / 2..<count).map { JSON($0) })
    }

    @Test("literals keep their order, and of a repeated key the last value")
    func literals() {
        let object: JSONObject = ["z": 1, "a": [1, "two", 3.5], "z": true, "n": nil]
        #expect(object.description == #"{"a":[1,"two",3.5],"z":true,"n":null}"#)
        let value: JSON = ["z": 1, "a": ["b": nil], "z": false]
        #expect(value.description == #"{"a":{"b":null},"z":false}"#)
        #expect(JSONObject().description == "{}")
    }

    @Test("it is a collection: indices, slices, first, emptiness", arguments: [0, 1, 5, 32, 33, 100])
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

    @Test("its indices skip the gaps of removed members, at the beginning, the end and in between")
    func collectionWithGaps() {
        var object = JSONObjectTests.many(64)
        let removed = [0, 1, 30, 31, 32, 33, 62, 63]
        for number in removed { object["key \(number)"] = nil }
        #expect(object.places == 64, "this is about an object with gaps")
        let left = (0..<64).filter { !removed.contains($0) }
        #expect(object.indices.map { object[$0].value } == left.map { JSON($0) })
        #expect(object.first?.key == "key 2")
        #expect(object.dropFirst(28).first?.key == "key 34")
        let middle = object.index(object.startIndex, offsetBy: 10)..<object.index(object.startIndex, offsetBy: 12)
        #expect(object[middle].map(\.key) == ["key 12", "key 13"])
        #expect(object.count == left.count)
    }
}
