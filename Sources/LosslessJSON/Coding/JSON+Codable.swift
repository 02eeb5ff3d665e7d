/// Supports any coder. ``JSONValueDecoder`` and ``JSONValueEncoder`` pass values through unchanged; other coders see
/// numbers as `Int64`, `UInt64` or, if neither is exact, the nearest `Double`.
extension JSON: Codable {
    /// Decodes any value.
    public init(from decoder: any Decoder) throws {
        if let elements = try? decoder.unkeyedContainer() {
            self = .array(try JSON.elements(elements))
        } else if let members = try? decoder.container(keyedBy: AnyCodingKey.self) {
            self = .object(
                JSONObject(try members.allKeys.map { ($0.stringValue, try members.decode(JSON.self, forKey: $0)) }))
        } else {
            self = try JSON.scalar(try decoder.singleValueContainer())
        }
    }

    private static func elements(_ container: any UnkeyedDecodingContainer) throws -> JSONArray {
        var (container, elements) = (container, [JSON]())
        while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
        return JSONArray(elements)
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let integer = try? container.decode(Int64.self) { return JSON(integer) }
        if let integer = try? container.decode(UInt64.self) { return JSON(integer) }
        if let double = try? container.decode(Double.self), let number = JSON(double) { return number }
        return JSON(try container.decode(String.self))
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let array):
            var container = encoder.unkeyedContainer()
            for element in array { try container.encode(element) }
        case .object(let object):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for (key, value) in object { try container.encode(value, forKey: AnyCodingKey(key)) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let bool): try container.encode(bool)
            case .string(let string): try container.encode(string.string)
            case .number(let number): try JSON.encode(number, to: &container)
            default: try container.encodeNil()
            }
        }
    }

    private static func encode(
        _ number: JSONNumber, to container: inout any SingleValueEncodingContainer
    ) throws {
        if let integer: Int64 = number.integer() {
            try container.encode(integer)
        } else if let integer = number.uint64 {
            try container.encode(integer)
        } else if let double = number.double {
            try container.encode(double)
        } else {
            let context = EncodingError.Context(
                codingPath: container.codingPath, debugDescription: "\(number) is outside the range of Double")
            throw EncodingError.invalidValue(number, context)
        }
    }
}
