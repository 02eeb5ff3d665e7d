/// Decodes the members of an object, with defaults.
///
/// It has one reference only, because the container is copied for each member that is decoded.
struct MemberDecoder<Key: CodingKey>: MemberDecoding {
    private let decoder: TreeDecoder

    /// - Parameter decoder: The decoder of a value that is an object.
    init(_ decoder: TreeDecoder) { self.decoder = decoder }

    private var defaults: JSONObject? { decoder.node.fallback?.object }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Without the keys of the defaults: enums and dictionaries come from the file only. Without keys that would be
    /// slow to compare, which no type defines.
    var allKeys: [Key] {
        guard let members = decoder.node.value.object else { return [] }
        return members.indices.compactMap { index in
            let name = members[index].key
            guard !name.exceedsCombiningMarkLimit, let key = Key(stringValue: name) else { return nil }
            decoder.markMember(name, at: index, of: members)
            return key
        }
    }

    func contains(_ key: Key) -> Bool { value(key.stringValue) != nil }

    private func value(_ key: String) -> JSON? { decoder.member(key) ?? defaults?[key] }

    private func node(_ key: some CodingKey) throws -> DecodingNode {
        guard let node = existingNode(key) else { throw missing(key) }
        return node
    }

    /// nil if neither the members nor the defaults have the key.
    private func existingNode(_ key: some CodingKey) -> DecodingNode? {
        let fallback = defaults?[key.stringValue]
        guard let value = decoder.member(key.stringValue) else {
            return fallback.map { DecodingNode($0, path: CodingPath(decoder.node.path, key)) }
        }
        let tracking = decoder.node.tracking.child(key.stringValue)
        return DecodingNode(value, fallback: fallback, path: CodingPath(decoder.node.path, key), tracking)
    }

    private func missing(_ key: some CodingKey) -> DecodingError {
        DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "is missing"))
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let value = value(key.stringValue) else { throw missing(key) }
        return value.isNull
    }

    // Most members are scalars that fit, and their paths are not needed.

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try value(key.stringValue)?.decodableString ?? decoder.state.decode(type, node(key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try value(key.stringValue)?.int ?? decoder.state.decode(type, node(key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try value(key.stringValue)?.bool ?? decoder.state.decode(type, node(key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try value(key.stringValue)?.double ?? decoder.state.decode(type, node(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.state.decode(type, node(key))
    }

    /// An explicit `null` is nil; a missing key takes the default.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let node = existingNode(key), !node.value.isNull else { return nil }
        return try decoder.state.decode(type, node)
    }

    // The protocol's own implementations of these search for the key three times.

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = presentValue(key) else { return nil }
        return try value.decodableString ?? decoder.state.decode(type, node(key))
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let value = presentValue(key) else { return nil }
        return try value.int ?? decoder.state.decode(type, node(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = presentValue(key) else { return nil }
        return try value.bool ?? decoder.state.decode(type, node(key))
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let value = presentValue(key) else { return nil }
        return try value.double ?? decoder.state.decode(type, node(key))
    }

    private func presentValue(_ key: Key) -> JSON? {
        guard let value = value(key.stringValue), !value.isNull else { return nil }
        return value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { TreeDecoder(decoder.state, try node(AnyCodingKey.parent)) }

    func superDecoder(forKey key: Key) throws -> any Decoder { TreeDecoder(decoder.state, try node(key)) }
}
