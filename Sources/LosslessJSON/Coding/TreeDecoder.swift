/// The `Decoder` of one value.
final class TreeDecoder: Decoder {
    let state: DecodingState
    let node: DecodingNode
    /// The decoder of the same value that collects the keys for all, if this is not the one.
    private let outer: TreeDecoder?
    /// Unchecked, because a check at run time costs far more than setting a bit, during which nothing else happens.
    @exclusivity(unchecked) private var askedMembers = AskedMembers()
    /// Where the next member is looked for first: the files of most types have their members in the order of the type.
    /// Unchecked for the same reason.
    @exclusivity(unchecked) private var expectedPosition = 0

    init(_ state: DecodingState, _ node: DecodingNode, within outer: TreeDecoder? = nil) {
        (self.state, self.node) = (state, node)
        self.outer = outer.map { $0.outer ?? $0 }
    }

    deinit {
        if node.tracking.isDetecting, case .object(let members) = node.value,
            askedMembers.lackAny(of: members, except: state.exemptNames)
        {
            state.mayHaveUnknownKeys = true
        }
    }

    var codingPath: [any CodingKey] { node.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object = node.value else { throw ScalarDecoding.mismatch("an object", [String: Any].self, node) }
        markKeyed()
        if let maker = state.containerMakers.maker(for: type) { return maker.container(of: self) }
        return KeyedDecodingContainer(MemberDecoder<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = node.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, node) }
        return ElementDecoder(self, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension TreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard node.tracking.isDetecting else { return try state.decode(type, node) }
        let collector = outer ?? self
        let askedBefore = collector.askedMembers
        do {
            return try state.decode(type, node, within: self)
        } catch {
            collector.askedMembers = askedBefore
            throw error
        }
    }
}

// MARK: - Keys that the type asks for

extension TreeDecoder {
    /// The member of this value with `key`, which counts as known from now on.
    @inline(__always)
    func member(_ key: String) -> JSON? {
        guard case .object(let members) = node.value else { return nil }
        let found = members.located(key, from: expectedPosition)
        if let found { expectedPosition = found.position + 1 }
        if node.tracking.isDetecting {
            if let found { insert(found.position, of: members) }
        } else if let trace = node.tracking.trace {
            trace.ask(for: key)
        }
        return found?.member.pointee.value
    }

    @inline(__always)
    private func insert(_ position: Int, of members: JSONObject) {
        if let outer {
            outer.askedMembers.insert(position, of: members)
        } else {
            askedMembers.insert(position, of: members)
        }
    }

    func markMember(_ key: String, at index: JSONObject.Index, of members: JSONObject) {
        if node.tracking.isDetecting { insert(index.position, of: members) }
        node.tracking.trace?.ask(for: key)
    }

    private func markKeyed() {
        if node.tracking.isDetecting { (outer ?? self).askedMembers.isKeyed = true }
        node.tracking.trace?.isKeyed = true
    }

    func markAllMembers() { (outer ?? self).askedMembers.containAll = true }
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
        return DecodingNode(elements[currentIndex], path: path, decoder.node.tracking.child(String(currentIndex)))
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
