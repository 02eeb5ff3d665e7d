/// The `Decoder` of one value.
final class TreeDecoder: Decoder {
    let state: DecodingState
    let node: DecodingNode

    init(_ state: DecodingState, _ node: DecodingNode) { (self.state, self.node) = (state, node) }

    var codingPath: [any CodingKey] { node.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = node.value.object else {
            throw ScalarDecoding.mismatch("an object", [String: Any].self, node)
        }
        return KeyedDecodingContainer(MemberDecoder(self, members, node.fallback?.object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = node.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, node) }
        return ElementDecoder(self, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension TreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try state.decode(type, node) }
}

/// Decodes the members of an object, with defaults.
private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: TreeDecoder
    private let members: JSONObject
    private let defaults: JSONObject?

    init(_ decoder: TreeDecoder, _ members: JSONObject, _ defaults: JSONObject?) {
        (self.decoder, self.members, self.defaults) = (decoder, members, defaults)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Without the keys of the defaults: enums and dictionaries come from the file only. Without keys that would be
    /// slow to compare, which no type defines.
    var allKeys: [Key] { members.compactMap { $0.key.exceedsCombiningMarkLimit ? nil : Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { value(key.stringValue) != nil }

    private func value(_ key: String) -> JSON? { members[key] ?? defaults?[key] }

    private func node(_ key: some CodingKey) throws -> DecodingNode {
        guard let node = existingNode(key) else { throw missing(key) }
        return node
    }

    /// nil if neither the members nor the defaults have the key.
    private func existingNode(_ key: some CodingKey) -> DecodingNode? {
        let (value, fallback) = (members[key.stringValue], defaults?[key.stringValue])
        if value == nil && fallback == nil { return nil }
        let path = CodingPath(decoder.node.path, key)
        return DecodingNode(value ?? fallback!, fallback: value == nil ? nil : fallback, path: path)
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

/// Decodes the elements of an array in order.
private struct ElementDecoder: UnkeyedDecodingContainer {
    private let decoder: TreeDecoder
    private let elements: JSONArray
    private(set) var currentIndex = 0

    init(_ decoder: TreeDecoder, _ elements: JSONArray) { (self.decoder, self.elements) = (decoder, elements) }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func node(_ type: Any.Type) throws -> DecodingNode {
        let path = CodingPath(decoder.node.path, AnyCodingKey(currentIndex))
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: CodingPath.keys(of: path), debugDescription: "is missing")
            throw DecodingError.valueNotFound(type, context)
        }
        return DecodingNode(elements[currentIndex], path: path)
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try node(Never?.self).value.isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.state.decode(type, node(type))
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let node = try node((any Decoder).self)
        currentIndex += 1
        return TreeDecoder(decoder.state, node)
    }
}
