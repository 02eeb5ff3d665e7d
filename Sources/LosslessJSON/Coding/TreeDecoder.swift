/// Decodes one place: what the types see as their `Decoder`.
final class TreeDecoder: Decoder {
    let run: DecodingRun
    let place: DecodingPlace

    init(_ run: DecodingRun, _ place: DecodingPlace) { (self.run, self.place) = (run, place) }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = place.value.object else {
            throw ScalarDecoding.mismatch("an object", [String: Any].self, place)
        }
        return KeyedDecodingContainer(MemberDecoder(self, members, place.fallback?.object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = place.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, place) }
        return ElementDecoder(self, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension TreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { place.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try run.decode(type, place) }
}

/// The members of an object, beside those of its defaults.
private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: TreeDecoder
    private let members: JSONObject
    private let defaults: JSONObject?

    init(_ decoder: TreeDecoder, _ members: JSONObject, _ defaults: JSONObject?) {
        (self.decoder, self.members, self.defaults) = (decoder, members, defaults)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Without those of the defaults: enums and dictionaries are what the file says.
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { value(key.stringValue) != nil }

    private func value(_ key: String) -> JSON? { members[key] ?? defaults?[key] }

    private func place(_ key: some CodingKey) throws -> DecodingPlace {
        guard let place = existingPlace(key) else { throw missing(key) }
        return place
    }

    /// nil when neither the members nor the defaults have the key.
    private func existingPlace(_ key: some CodingKey) -> DecodingPlace? {
        let (value, fallback) = (members[key.stringValue], defaults?[key.stringValue])
        if value == nil && fallback == nil { return nil }
        let path = CodingPath(decoder.place.path, key)
        return DecodingPlace(value ?? fallback!, fallback: value == nil ? nil : fallback, path: path)
    }

    private func missing(_ key: some CodingKey) -> DecodingError {
        DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "is missing"))
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let value = value(key.stringValue) else { throw missing(key) }
        return value.isNull
    }

    // Most members are scalars that fit, and nobody needs to know where those are.

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try value(key.stringValue)?.string ?? decoder.run.decode(type, place(key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try value(key.stringValue)?.int ?? decoder.run.decode(type, place(key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try value(key.stringValue)?.bool ?? decoder.run.decode(type, place(key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try value(key.stringValue)?.double ?? decoder.run.decode(type, place(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.run.decode(type, place(key))
    }

    /// An explicit `null` is nil; a missing key is what the defaults say.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = existingPlace(key), !place.value.isNull else { return nil }
        return try decoder.run.decode(type, place)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { TreeDecoder(decoder.run, try place(PathKey.parent)) }

    func superDecoder(forKey key: Key) throws -> any Decoder { TreeDecoder(decoder.run, try place(key)) }
}

/// The elements of an array, one after the other.
private struct ElementDecoder: UnkeyedDecodingContainer {
    private let decoder: TreeDecoder
    private let elements: JSONArray
    private(set) var currentIndex = 0

    init(_ decoder: TreeDecoder, _ elements: JSONArray) { (self.decoder, self.elements) = (decoder, elements) }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func place(_ type: Any.Type) throws -> DecodingPlace {
        let path = CodingPath(decoder.place.path, PathKey(currentIndex))
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: CodingPath.keys(of: path), debugDescription: "is missing")
            throw DecodingError.valueNotFound(type, context)
        }
        return DecodingPlace(elements[currentIndex], path: path)
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try place(Never?.self).value.isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.run.decode(type, place(type))
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
        let place = try place((any Decoder).self)
        currentIndex += 1
        return TreeDecoder(decoder.run, place)
    }
}
