import Foundation
import LosslessJSON
import Testing

@Suite("Coding round trips")
struct RoundTripTests {
    /// Encodes, prints, parses and decodes: what a file does to a value.
    private func trip<Value: Codable & Equatable>(
        _ value: Value, _ text: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let printed = try JSONPrinter(layout: .compact).string(JSONValueEncoder().encode(value))
        if let text { #expect(printed == text, sourceLocation: sourceLocation) }
        let parsed = try JSONDocument(parsing: printed)
        #expect(try parsed.decode(Value.self) == value, sourceLocation: sourceLocation)
    }

    @Test("scalars of every type")
    func scalars() throws {
        try trip(true, "true")
        try trip("ü\u{0}\"\\\n", "\"ü\\u0000\\\"\\\\\\n\"")
        try trip([Int.min, Int.max])
        try trip([UInt64.min, UInt64.max], "[0,18446744073709551615]")
        try trip([Int8.min, Int8.max])
        try trip([UInt8.min, UInt8.max])
        try trip([Int16.min, Int16.max])
        try trip([UInt16.max])
        try trip([Int32.min])
        try trip([UInt32.max])
        try trip([Int128.min, Int128.max])
        try trip([UInt128.max], "[340282366920938463463374607431768211455]")
        try trip([0.1, -0.0, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 1e100])
        try trip([Float(0.1), Float.leastNonzeroMagnitude, Float.greatestFiniteMagnitude])
    }

    enum Shape: Codable, Equatable {
        case point
        case circle(Double)
        case label(String, at: [Int])
        indirect case group([Shape], inside: Shape?)
    }

    @Test("enums with payloads")
    func payloads() throws {
        try trip(Shape.point, #"{"point":{}}"#)
        try trip(Shape.circle(1.5), #"{"circle":{"_0":1.5}}"#)
        try trip([Shape.label("x", at: [1, 2]), .group([.point, .circle(0)], inside: .group([], inside: nil))])
    }

    struct Optionals: Codable, Equatable {
        var one: Int?
        var two: Int??
        var list: [Int?]
        var lists: [[String?]?]
        var table: [String: Int?]
    }

    @Test("nested optionals")
    func nestedOptionals() throws {
        try trip(
            Optionals(
                one: nil, two: .some(.some(3)), list: [1, nil], lists: [nil, ["a", nil]], table: ["x": nil, "y": 1]),
            #"{"two":3,"list":[1,null],"lists":[null,["a",null]],"table":{"x":null,"y":1}}"#)
        try trip(Optionals(one: 1, two: nil, list: [], lists: [], table: [:]))
        try trip(Optional<Int>.none, "null")
        try trip([String: [Int?]?]())
    }

    enum Side: String, Codable, CaseIterable { case west, north, east }
    enum Place: Int, Codable {
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

    @Test("dictionaries are written in the order of their keys")
    func dictionaries() throws {
        try trip(["b": 1, "a": 2, "é": 3, "z": 4], #"{"a":2,"b":1,"z":4,"é":3}"#)
        try trip([10: "ten", 9: "nine", -1: "minus"], #"{"-1":"minus","9":"nine","10":"ten"}"#)
        try trip([Side.west: 1, .north: 2], #"{"north":2,"west":1}"#)
        try trip([Grade.good: 1, .bad: 2], #"{"bad":2,"good":1}"#)
        try trip([Level.high: "x", .low: "y"], #"{"1":"y","20":"x"}"#)
        try trip([Place.tenth: "x", .second: "y", .first: "z"], #"[1,"z",2,"y",10,"x"]"#)
        try trip([Point(x: 2): "b", Point(x: 1): "a"], #"[{"x":1},"a",{"x":2},"b"]"#)
        try trip([Int8(5): true, -5: false], #"{"-5":false,"5":true}"#)
        try trip(["x": [Side.east: ["y": 1]]], #"{"x":{"east":{"y":1}}}"#)
    }

    @Test("a dictionary of enum keys that another library wrote as an array is read")
    func foreignDictionary() throws {
        let sides = try JSONValueDecoder().decode([Side: Int].self, from: ["west", 1, "north", 2])
        #expect(sides == [.west: 1, .north: 2])
    }

    @Test("sets are written in the order of their elements")
    func sets() throws {
        try trip(Set([3, 1, 2, 10]), "[1,2,3,10]")
        try trip(Set(["b", "a", "ä"]), #"["a","b","ä"]"#)
        try trip(
            Set([UInt64.max, UInt64.max - 1, 1 << 63]),
            "[9223372036854775808,18446744073709551614,18446744073709551615]")
        try trip(Set([Side.west, .east]), #"["east","west"]"#)
        try trip([Set([2.5, -1.0])], "[[-1.0,2.5]]")
    }

    @Test("equal values are written alike, whatever order their hash tables have")
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
            try super.encode(to: container.superEncoder())  // before its own members: read at the end
            try container.encode(size, forKey: .size)
        }
    }

    @Test("inheritance with superEncoder, with defaults beside it")
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

    @Test("property wrappers")
    func wrappers() throws {
        try trip(Wrapped(volume: 7), #"{"volume":7}"#)
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

    @Test("recursive types")
    func recursion() throws {
        try trip(Tree(1, [Tree(2, [Tree(3)]), Tree(4)]))
        let deep = (0..<200).reduce(Tree(0)) { Tree($1, [$0]) }
        try trip(deep)
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

    struct Piecemeal: Codable, Equatable {
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

    @Test("a nested container that is asked for twice is one")
    func piecemeal() throws {
        try trip(Piecemeal(), #"{"inner":{"first":1,"second":2}}"#)
    }

    @Test("types that encode themselves as arrays with nested containers")
    func nestedContainers() throws {
        try trip(Row(x: 1, y: [2, 3], z: ["a": 4]), #"[1,[2,3],{"a":4},null]"#)
    }

    @Test("conversions take the place of a type's own form, everywhere")
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

    @Test("JSON itself passes through with its spellings, and through other coders by value")
    func json() throws {
        let value = try JSON(parsing: #"{"b": [1.0, 1e3, "\u0041", null, true], "a": 18446744073709551615}"#)
        #expect(try JSONValueEncoder().encode(value).isIdentical(to: value))
        #expect(try JSONValueDecoder().decode(JSON.self, from: value).isIdentical(to: value))
        let bytes = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSON.self, from: bytes) == value)
        let huge = try JSON(parsing: "1e400")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([huge]) }
    }

    @Test("user information reaches the types")
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
