import LosslessJSON
import Testing

@Suite("Unknown keys of types with their own decoding")
struct UnknownKeyContainerTests {
    struct Circle: Decodable { var radius: Int }
    struct Box: Decodable { var width: Int, height: Int }

    private func unknown<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> [String] {
        var keys: [JSONUnknownKey] = []
        _ = try JSONValueDecoder().decode(type, from: json, unknownKeys: &keys)
        return keys.map(\.path.description)
    }

    /// Reads its kind and then a payload, by one of several ways.
    struct Shape<Method: PayloadDecoding>: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            if try container.decode(String.self, forKey: AnyKey("kind")) == "circle" {
                _ = try Method.decode(Circle.self, decoder)
            } else {
                _ = try Method.decode(Box.self, decoder)
            }
        }
    }

    protocol PayloadDecoding {
        static func decode<Payload: Decodable>(_ type: Payload.Type, _ decoder: any Decoder) throws -> Payload
    }

    enum ByInitializer: PayloadDecoding {
        static func decode<Payload: Decodable>(_ type: Payload.Type, _ decoder: any Decoder) throws -> Payload {
            try type.init(from: decoder)
        }
    }

    enum BySingleValue: PayloadDecoding {
        static func decode<Payload: Decodable>(_ type: Payload.Type, _ decoder: any Decoder) throws -> Payload {
            try decoder.singleValueContainer().decode(type)
        }
    }

    enum ByOptional: PayloadDecoding {
        static func decode<Payload: Decodable>(_ type: Payload.Type, _ decoder: any Decoder) throws -> Payload {
            try decoder.singleValueContainer().decode(Payload?.self)!
        }
    }

    private func checkShape(_ shape: (some Decodable).Type) throws {
        #expect(try unknown(shape, ["kind": "circle", "radius": 1]) == [])
        #expect(try unknown(shape, ["kind": "box", "width": 1, "height": 2]) == [])
        #expect(try unknown(shape, ["kind": "box", "width": 1, "height": 2, "radius": 3]) == ["/radius"])
    }

    @Test("Containers of one decoder, and types decoded from the same value, share what they ask for")
    func shared() throws {
        try checkShape(Shape<ByInitializer>.self)
        try checkShape(Shape<BySingleValue>.self)
        try checkShape(Shape<ByOptional>.self)
    }

    @Test("A type that takes all other members as a dictionary or as JSON has no unknown key")
    func catchAll() throws {
        struct Rest<Taken: Decodable>: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: AnyKey.self).contains(AnyKey("a"))
                _ = try decoder.singleValueContainer().decode(Taken.self)
            }
        }
        struct RestByInitializer: Decodable {
            init(from decoder: any Decoder) throws { _ = try [String: JSON](from: decoder) }
        }
        #expect(try unknown(Rest<[String: Int]>.self, ["a": 1, "b": 2]) == [])
        #expect(try unknown(Rest<JSON>.self, ["a": 1, "b": 2]) == [])
        #expect(try unknown(RestByInitializer.self, ["a": 1, "b": 2]) == [])
        #expect(try unknown(Rest<[String: Circle]>.self, ["b": ["radius": 1, "x": 1]]) == ["/b/x"])
    }

    @Test("A member that is decoded as two types is known if one of them asks for it")
    func twice() throws {
        struct Twice: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                _ = try container.decode(Circle.self, forKey: AnyKey("shape"))
                _ = try container.decode(Box.self, forKey: AnyKey("shape"))
            }
        }
        let json: JSON = ["shape": ["radius": 1, "width": 2, "height": 3]]
        #expect(try unknown(Twice.self, json) == [])
        #expect(try unknown(Twice.self, json.setting("shape.depth", to: 1)) == ["/shape/depth"])
    }

    @Test("What a failed attempt asks for does not count")
    func attempts() throws {
        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(Box.self)) == nil { _ = try container.decode(Circle.self) }
            }
        }
        struct EitherMember: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                if (try? container.decode(Box.self, forKey: AnyKey("x"))) == nil {
                    _ = try container.decode(Circle.self, forKey: AnyKey("x"))
                }
            }
        }
        #expect(try unknown(Either.self, ["radius": 1]) == [])
        #expect(try unknown(Either.self, ["width": 1, "radius": 1]) == ["/width"])
        #expect(try unknown(Either.self, ["width": 1, "height": 1]) == [])
        #expect(try unknown(EitherMember.self, ["x": ["radius": 1]]) == [])
        #expect(try unknown([EitherMember].self, [["x": ["width": 1, "radius": 1]]]) == ["/0/x/width"])
        #expect(try unknown(EitherMember.self, ["x": ["width": 1, "height": 1]]) == [])
    }

    @Test("Nested containers are examined with the value that requested them")
    func nestedContainers() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                let inner = try container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("inner"))
                _ = try inner.decode(Int.self, forKey: AnyKey("a"))
                let again = try container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("inner"))
                _ = try again.decode(Int.self, forKey: AnyKey("b"))
                var list = try container.nestedUnkeyedContainer(forKey: AnyKey("list"))
                while !list.isAtEnd {
                    let element = try list.nestedContainer(keyedBy: AnyKey.self)
                    _ = try element.decodeIfPresent(Int.self, forKey: AnyKey("c"))
                }
            }
        }
        #expect(try unknown(Nested.self, ["inner": ["a": 1, "b": 2], "list": [["c": 1], [:]]]) == [])
        #expect(
            try unknown(Nested.self, ["inner": ["a": 1, "b": 2, "x": 3], "list": [["c": 1], ["y": 2]], "z": 0])
                == ["/inner/x", "/list/1/y", "/z"])
    }

    class Base: Decodable { var id: Int = 0 }

    final class Inheriting: Base {
        var name = ""

        enum CodingKeys: CodingKey { case name, base }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            if container.contains(.base) {
                try super.init(from: container.superDecoder(forKey: .base))
            } else if (decoder.userInfo[CodingUserInfoKey(rawValue: "flat")!] as? Bool) == true {
                try super.init(from: decoder)
            } else {
                try super.init(from: container.superDecoder())
            }
        }
    }

    @Test("Superclass decoders are examined, whether they have a member of their own or share the value")
    func superclasses() throws {
        #expect(try unknown(Inheriting.self, ["name": "x", "super": ["id": 1]]) == [])
        #expect(try unknown(Inheriting.self, ["name": "x", "super": ["id": 1, "y": 2]]) == ["/super/y"])
        #expect(try unknown(Inheriting.self, ["name": "x", "base": ["id": 1, "y": 2], "z": 1]) == ["/base/y", "/z"])
        var decoder = JSONValueDecoder()
        decoder.userInfo[CodingUserInfoKey(rawValue: "flat")!] = true
        var keys: [JSONUnknownKey] = []
        _ = try decoder.decode(Inheriting.self, from: ["name": "x", "id": 1, "y": 2], unknownKeys: &keys)
        #expect(keys.map(\.path) == ["/y"])
    }

    @Test("All keys are unknown to a type that requests a container and asks for nothing, and none to other types")
    func emptyTypes() throws {
        struct Asking: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: AnyKey.self) }
        }
        struct Ignoring: Decodable {
            init(from decoder: any Decoder) throws {}
        }
        #expect(try unknown(Asking.self, ["a": 1]) == ["/a"])
        #expect(try unknown(Ignoring.self, ["a": 1]) == [])
    }

    @Test("No key is unknown in a value whose type keeps the decoder for later")
    func escapingDecoder() throws {
        struct Kept: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        struct Lazy: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                _ = try Circle(from: container.decode(Kept.self, forKey: AnyKey("kept")).decoder)
            }
        }
        #expect(try unknown(Lazy.self, ["kept": ["radius": 1]]) == [])
        #expect(try unknown(Lazy.self, ["kept": ["radius": 1, "x": 1]]) == [])
    }
}
