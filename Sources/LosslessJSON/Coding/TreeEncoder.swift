/// The `Encoder` of one value.
///
/// Containers refer to storage in the encoder, because a type may request the same container several times (a class and
/// its superclass do) and may fill nested containers later.
final class TreeEncoder: Encoder {
    /// The content that the type has encoded so far.
    private enum Content {
        case nothing
        case value(JSON)
        case members(MemberList)
        case elements(ElementList)
    }

    let state: EncodingState
    let defaults: JSON?
    let path: CodingPath?
    private var content = Content.nothing

    init(_ state: EncodingState, _ defaults: JSON?, _ path: CodingPath?) {
        (self.state, self.defaults, self.path) = (state, defaults, path)
    }

    var codingPath: [any CodingKey] { CodingPath.keys(of: path) }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    /// The encoded value. A type without properties is an empty object.
    var result: JSON {
        switch content {
        case .nothing: .object(JSONObject())
        case .value(let value): value
        case .members(let list): list.result
        case .elements(let list): list.result
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberEncoder<Key>(self, memberList()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncoder(self, elementList()) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    fileprivate func memberList() -> MemberList {
        if case .members(let list) = content { return list }
        guard case .nothing = content else {
            preconditionFailure("a type encodes itself as an object and as another value")
        }
        let list = MemberList()
        content = .members(list)
        return list
    }

    fileprivate func elementList() -> ElementList {
        if case .elements(let list) = content { return list }
        guard case .nothing = content else {
            preconditionFailure("a type encodes itself as an array and as another value")
        }
        let list = ElementList()
        content = .elements(list)
        return list
    }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() { content = .value(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { content = .value(try state.encode(value, defaults, path)) }
}

/// The members of an object under construction. Members whose encoders are still in use are read at the end.
private final class MemberList {
    private var members: [Member] = []
    private var unfinished: [(index: Int, encoder: TreeEncoder)] = []

    func append(_ key: String, _ value: JSON) { members.append(Member(Text(key), value)) }

    /// The encoder of a member that is filled incrementally: the same one on each request.
    func child(_ key: String, _ make: () -> TreeEncoder) -> TreeEncoder {
        let text = Text(key)
        if let known = unfinished.first(where: { Text.sameBytes(members[$0.index].key, text) }) { return known.encoder }
        let encoder = make()
        unfinished.append((members.count, encoder))
        members.append(Member(text, .null))
        return encoder
    }

    var result: JSON {
        var members = members
        for (index, encoder) in unfinished { members[index] = Member(members[index].key, encoder.result) }
        return .object(JSONObject(members))
    }
}

/// The elements of an array under construction. Elements whose encoders are still in use are read at the end.
private final class ElementList {
    private var elements: [JSON] = []
    private var unfinished: [(index: Int, encoder: TreeEncoder)] = []

    var count: Int { elements.count }

    func append(_ value: JSON) { elements.append(value) }

    func append(_ encoder: TreeEncoder) {
        unfinished.append((elements.count, encoder))
        append(.null)
    }

    var result: JSON {
        var elements = elements
        for (index, encoder) in unfinished { elements[index] = encoder.result }
        return .array(JSONArray(elements))
    }
}

private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: TreeEncoder
    private let list: MemberList

    init(_ encoder: TreeEncoder, _ list: MemberList) { (self.encoder, self.list) = (encoder, list) }

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func defaults(_ key: String) -> JSON? { encoder.defaults?.object?[key] }

    func encodeNil(forKey key: Key) { list.append(key.stringValue, .null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let path = CodingPath(encoder.path, key)
        list.append(key.stringValue, try encoder.state.encode(value, defaults(key.stringValue), path))
    }

    /// Encodes nil as `null` if the default is not nil; otherwise decoding would restore the default.
    private func encodeOrNull<Value: Encodable>(_ value: Value?, _ key: Key) throws {
        if let value {
            try encode(value, forKey: key)
        } else if let fallback = defaults(key.stringValue), !fallback.isNull {
            encodeNil(forKey: key)
        }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try encodeOrNull(value, key) }

    // The protocol's own implementations of these would be chosen over the generic one.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNull(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeOrNull(value, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { child(AnyCodingKey.parent) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func child(_ key: some CodingKey) -> TreeEncoder {
        list.child(key.stringValue) {
            TreeEncoder(encoder.state, defaults(key.stringValue), CodingPath(encoder.path, key))
        }
    }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    private let encoder: TreeEncoder
    private let list: ElementList

    init(_ encoder: TreeEncoder, _ list: ElementList) { (self.encoder, self.list) = (encoder, list) }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { list.count }

    private var path: CodingPath { CodingPath(encoder.path, AnyCodingKey(count)) }

    func encodeNil() { list.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { list.append(try encoder.state.encode(value, nil, path)) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
    func superEncoder() -> any Encoder { child() }

    private func child() -> TreeEncoder {
        let child = TreeEncoder(encoder.state, nil, path)
        list.append(child)
        return child
    }
}
