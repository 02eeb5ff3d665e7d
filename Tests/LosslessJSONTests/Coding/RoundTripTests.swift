import Foundation
import LosslessJSON
import Testing

@Suite("Coding round trips")
struct RoundTripTests {
    /// Encodes, prints, parses and decodes a value, as saving and loading a file does.
    private func roundTrip<Value: Codable & Equatable>(
        _ value: Value, _ text: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let printed = try JSONPrinter(layout: .compact).string(JSONValueEncoder().encode(value))
        if let text { #expect(printed == text, sourceLocation: sourceLocation) }
        let parsed = try JSONDocument(parsing: printed)
        #expect(try parsed.decode(Value.self) == value, sourceLocation: sourceLocation)
    }

    @Test("Strings, booleans and numbers of every type survive a round trip")
    func scalars() throws {
        try roundTrip(true, "true")
        try roundTrip("ü\u{0}\"\\\n", "\"ü\\u0000\\\"\\\\\\n\"")
        try roundTrip([Int.min, Int.max])
        try roundTrip([UInt64.min, UInt64.max], "[0,18446744073709551615]")
        try roundTrip([Int8.min, Int8.max])
        try roundTrip([UInt8.min, UInt8.max])
        try roundTrip([Int16.min, Int16.max])
        try roundTrip([UInt16.max])
        try roundTrip([Int32.min])
        try roundTrip([UInt32.max])
        try roundTrip([Int128.min, Int128.max])
        try roundTrip([UInt128.max], "[340282366920938463463374607431768211455]")
        try roundTrip([0.1, -0.0, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 1e100])
        try roundTrip([Float(0.1), Float.leastNonzeroMagnitude, Float.greatestFiniteMagnitude])
    }

    enum Shape: Codable, Equatable {
        case point
        case circle(Double)
        case label(String, at: [Int])
        indirect case group([Shape], inside: Shape?)
    }

    @Test("Enums with associated values survive a round trip")
    func payloads() throws {
        try roundTrip(Shape.point, #"{"point":{}}"#)
        try roundTrip(Shape.circle(1.5), #"{"circle":{"_0":1.5}}"#)
        try roundTrip([Shape.label("x", at: [1, 2]), .group([.point, .circle(0)], inside: .group([], inside: nil))])
    }

    struct Optionals: Codable, Equatable {
        var one: Int?
        var two: Int??
        var list: [Int?]
        var lists: [[String?]?]
        var table: [String: Int?]
    }

    @Test("Nested optionals survive a round trip")
    func nestedOptionals() throws {
        try roundTrip(
            Optionals(
                one: nil, two: .some(.some(3)), list: [1, nil], lists: [nil, ["a", nil]], table: ["x": nil, "y": 1]),
            #"{"two":3,"list":[1,null],"lists":[null,["a",null]],"table":{"x":null,"y":1}}"#)
        try roundTrip(Optionals(one: 1, two: nil, list: [], lists: [], table: [:]))
        try roundTrip(Optional<Int>.none, "null")
        try roundTrip([String: [Int?]?]())
    }

    enum Side: String, Codable, CaseIterable { case west, north, east }
    enum Rank: Int, Codable {
        case first = 1
        case tenth = 10
        case second = 2
    }
    enum Level: Int, Codable, CodingKeyRepresentable {
        case low = 1
        case high = 20
    }
    enum Grade: String, Codable, CodingKeyRepresentable { case good, bad }
    struct Point: Codable, Hashable { var x: Int }

    @Test("Dictionaries are written in the order of their keys")
    func dictionaries() throws {
        try roundTrip(["b": 1, "a": 2, "é": 3, "z": 4], #"{"a":2,"b":1,"z":4,"é":3}"#)
        try roundTrip([10: "ten", 9: "nine", -1: "minus"], #"{"-1":"minus","9":"nine","10":"ten"}"#)
        try roundTrip([Side.west: 1, .north: 2], #"{"north":2,"west":1}"#)
        try roundTrip([Grade.good: 1, .bad: 2], #"{"bad":2,"good":1}"#)
        try roundTrip([Level.high: "x", .low: "y"], #"{"1":"y","20":"x"}"#)
        try roundTrip([Rank.tenth: "x", .second: "y", .first: "z"], #"[1,"z",2,"y",10,"x"]"#)
        try roundTrip([Point(x: 2): "b", Point(x: 1): "a"], #"[{"x":1},"a",{"x":2},"b"]"#)
        try roundTrip([Int8(5): true, -5: false], #"{"-5":false,"5":true}"#)
        try roundTrip(["x": [Side.east: ["y": 1]]], #"{"x":{"east":{"y":1}}}"#)
    }

    @Test("A dictionary with enum keys that was encoded as an array of keys and values is decoded")
    func dictionaryAsArray() throws {
        let sides = try JSONValueDecoder().decode([Side: Int].self, from: ["west", 1, "north", 2])
        #expect(sides == [.west: 1, .north: 2])
    }

    @Test("Sets are written in the order of their elements")
    func sets() throws {
        try roundTrip(Set([3, 1, 2, 10]), "[1,2,3,10]")
        try roundTrip(Set(["b", "a", "ä"]), #"["a","b","ä"]"#)
        try roundTrip(
            Set([UInt64.max, UInt64.max - 1, 1 << 63]),
            "[9223372036854775808,18446744073709551614,18446744073709551615]")
        try roundTrip(Set([Side.west, .east]), #"["east","west"]"#)
        try roundTrip([Set([2.5, -1.0])], "[[-1.0,2.5]]")
    }

    @Test("Equal dictionaries and sets are encoded identically, regardless of hash order")
    func deterministic() throws {
        let names = (0..<200).map { "key \($0)" }
        let encoder = JSONValueEncoder()
        let first = try encoder.encode(Dictionary(uniqueKeysWithValues: names.map { ($0, Set(names)) }))
        let second = try encoder.encode(
            Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, Set(names.reversed())) }))
        #expect(first.description == second.description)
    }

    class Base: Codable, Equatable {
        var name = "base"
        init() {}
        static func == (a: Base, b: Base) -> Bool { a.name == b.name }
    }

    final class Derived: Base {
        private enum CodingKeys: String, CodingKey { case size }
        var size = 1

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            size = try container.decode(Int.self, forKey: .size)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())  // encoded first, decoded last
            try container.encode(size, forKey: .size)
        }
    }

    @Test("A class with superEncoder survives a round trip, and defaults apply to its superclass")
    func inheritance() throws {
        let derived = Derived()
        (derived.name, derived.size) = ("x", 5)
        let json = try JSONValueEncoder().encode(derived)
        #expect(json.description == #"{"super":{"name":"x"},"size":5}"#)
        let read = try JSONValueDecoder().decode(Derived.self, from: ["super": [:]], defaults: json)
        #expect(read.name == "x" && read.size == 5)
        #expect(throws: JSONCodingError.self) { try JSONValueDecoder().decode(Derived.self, from: ["size": 1]) }
    }

    @propertyWrapper
    struct Clamped: Codable, Equatable {
        var wrappedValue: Int { didSet { wrappedValue = min(max(wrappedValue, 0), 10) } }
        init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 0), 10) }
        init(from decoder: any Decoder) throws {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Int.self))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    struct Wrapped: Codable, Equatable {
        @Clamped var volume = 5
    }

    @Test("Property wrappers that encode a single value survive a round trip")
    func wrappers() throws {
        try roundTrip(Wrapped(volume: 7), #"{"volume":7}"#)
        let defaults = try JSONValueEncoder().encode(Wrapped())
        #expect(try JSONValueDecoder().decode(Wrapped.self, from: ["volume": 99]).volume == 10)
        #expect(try JSONValueDecoder().decode(Wrapped.self, from: [:], defaults: defaults).volume == 5)
    }

    final class Tree: Codable, Equatable {
        var value: Int
        var children: [Tree]
        init(_ value: Int, _ children: [Tree] = []) { (self.value, self.children) = (value, children) }
        static func == (a: Tree, b: Tree) -> Bool { a.value == b.value && a.children == b.children }
    }

    @Test("Recursive types survive a round trip")
    func recursion() throws {
        try roundTrip(Tree(1, [Tree(2, [Tree(3)]), Tree(4)]))
        let deep = (0..<200).reduce(Tree(0)) { Tree($1, [$0]) }
        try roundTrip(deep)
    }

    struct Row: Codable, Equatable {
        var x: Int
        var y: [Int]
        var z: [String: Int]

        init(x: Int, y: [Int], z: [String: Int]) { (self.x, self.y, self.z) = (x, y, z) }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            x = try container.decode(Int.self)
            var inner = try container.nestedUnkeyedContainer()
            y = []
            while !inner.isAtEnd { y.append(try inner.decode(Int.self)) }
            let keyed = try container.nestedContainer(keyedBy: Key.self)
            z = ["a": try keyed.decode(Int.self, forKey: .a)]
            #expect(try container.decodeNil())
            #expect(container.isAtEnd)
        }

        enum Key: String, CodingKey { case a }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(x)
            var inner = container.nestedUnkeyedContainer()
            for one in y { try inner.encode(one) }
            var keyed = container.nestedContainer(keyedBy: Key.self)
            try keyed.encode(z["a"]!, forKey: .a)
            try container.encodeNil()
        }
    }

    struct RepeatedNesting: Codable, Equatable {
        enum Key: String, CodingKey { case inner, first, second }
        var first = 1
        var second = 2

        init() {}

        init(from decoder: any Decoder) throws {
            let inner = try decoder.container(keyedBy: Key.self).nestedContainer(keyedBy: Key.self, forKey: .inner)
            first = try inner.decode(Int.self, forKey: .first)
            second = try inner.decode(Int.self, forKey: .second)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var one = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
            try one.encode(first, forKey: .first)
            var other = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
            try other.encode(second, forKey: .second)
        }
    }

    @Test("A nested container requested twice for one key is the same container")
    func repeatedNestedContainer() throws {
        try roundTrip(RepeatedNesting(), #"{"inner":{"first":1,"second":2}}"#)
    }

    @Test("A type that encodes itself with nested unkeyed and keyed containers survives a round trip")
    func nestedContainers() throws {
        try roundTrip(Row(x: 1, y: [2, 3], z: ["a": 4]), #"[1,[2,3],{"a":4},null]"#)
    }

    @Test("A conversion replaces a type's own coding in members, elements and dictionary values")
    func conversions() throws {
        struct Event: Codable, Equatable {
            var at: Date
            var others: [Date]
            var named: [String: Date?]
        }
        var conversions = JSONConversions()
        conversions.add(Date.self) {
            JSON(Int($0.timeIntervalSince1970))
        } decode: { json in
            guard let seconds = json.int else { throw JSONMismatch(expected: "seconds since 1970") }
            return Date(timeIntervalSince1970: Double(seconds))
        }
        let event = Event(
            at: Date(timeIntervalSince1970: 5), others: [Date(timeIntervalSince1970: 6)], named: ["x": nil])
        let json = try JSONValueEncoder(conversions: conversions).encode(event)
        #expect(json.description == #"{"at":5,"others":[6],"named":{"x":null}}"#)
        let decoder = JSONValueDecoder(conversions: conversions)
        #expect(try decoder.decode(Event.self, from: json) == event)
        let error = #expect(throws: JSONCodingError.self) {
            try decoder.decode(Event.self, from: ["at": 1, "others": [true], "named": [:]])
        }
        #expect(error?.message == #""others.0" must be seconds since 1970, found true"#)
    }

    @Test("A conversion of a list of strings is used, too") func convertedList() throws {
        var conversions = JSONConversions()
        conversions.add([String].self) {
            JSON($0.joined(separator: " "))
        } decode: { json in
            (json.string ?? "").split(separator: " ").map(String.init)
        }
        let json = try JSONValueEncoder(conversions: conversions).encode(["tags": ["a", "b"]])
        #expect(json == ["tags": "a b"])
    }

    @Test("A JSON value keeps its spellings in this library's coders and its value in Foundation's")
    func json() throws {
        let value = try JSON(parsing: #"{"b": [1.0, 1e3, "\u0041", null, true], "a": 18446744073709551615}"#)
        #expect(try JSONValueEncoder().encode(value).isIdentical(to: value))
        #expect(try JSONValueDecoder().decode(JSON.self, from: value).isIdentical(to: value))
        let bytes = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSON.self, from: bytes) == value)
        let huge = try JSON(parsing: "1e400")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([huge]) }
    }

    @Test("userInfo is available to decoded types")
    func userInfo() throws {
        struct Reader: Codable {
            static let key = CodingUserInfoKey(rawValue: "base")!
            var sum: Int
            init(from decoder: any Decoder) throws { sum = decoder.userInfo[Self.key] as? Int ?? 0 }
        }
        var decoder = JSONValueDecoder()
        decoder.userInfo[Reader.key] = 42
        #expect(try decoder.decode([Reader].self, from: [1])[0].sum == 42)
    }
}
