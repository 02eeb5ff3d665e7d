/// The `Encoder` of one value.
///
/// Containers refer to the encoder, because a type may request the same container several times (a class and its
/// superclass do) and may fill nested containers later. An encoder that the type has not kept is used again for another
/// value. It is a step of the path of what it encodes, so that a path takes no memory of its own.
final class TreeEncoder: CodingPath, Encoder {
    /// The kind of value that the type has encoded so far.
    private enum Kind { case nothing, value, members, elements }

    // Not checked for exclusive access at run time, which took a tenth of the time: no access calls other code.
    let state: EncodingState
    @exclusivity(unchecked) private(set) var defaults: JSON?
    @exclusivity(unchecked) private var kind = Kind.nothing
    @exclusivity(unchecked) private var value = JSON.null
    @exclusivity(unchecked) private var members = GrowingBuffer<Member>()
    @exclusivity(unchecked) private var elements = GrowingBuffer<JSON>()
    /// The members of the previous version of the value, if there is one. As long as all are the same, they are only
    /// counted.
    @exclusivity(unchecked) private var previous: Page<Member>?
    /// The number of members that were only counted; 0 as soon as there is one in `members`.
    @exclusivity(unchecked) private var uncollected = 0
    /// The encoders of members or elements that are filled incrementally. They are read at the end.
    @exclusivity(unchecked) private var unfinished: [(index: Int, encoder: TreeEncoder)] = []
    /// While this is not in use, the next one that is not.
    @exclusivity(unchecked) var nextIdle: TreeEncoder?

    init(_ state: EncodingState) {
        self.state = state
        super.init(at: nil, nil)
    }

    /// Begins the encoding of the value at `key` in `parent`; without a key, of that at `parent` itself.
    ///
    /// - Parameter previous: What it was encoded as in the previous version, which is the result if it is the same.
    func begin(_ defaults: JSON?, previous: JSON?, at parent: CodingPath?, _ key: (any CodingKey)?) {
        self.defaults = defaults
        if case .object(let object) = previous, case .small(let page) = object.form { self.previous = page }
        move(to: parent, key)
    }

    /// Returns the value, and forgets it. The encoder must be ``finish()``ed, and the type must not have kept it.
    func takeResult() -> JSON {
        let result: JSON =
            switch kind {
            case .nothing: .object(JSONObject())
            case .value: value
            case .members: .object(takeObject())
            case .elements: .array(elements.takeArray())
            }
        reset()
        return result
    }

    /// The value that is encoded so far. A type without properties is an empty object.
    var result: JSON {
        finish()
        return switch kind {
        case .nothing: .object(JSONObject())
        case .value: value
        case .members: .object(JSONObject(copiedMembers()))
        case .elements: .array(JSONArray(elements.copy))
        }
    }

    /// Forgets everything, also the references to and from encoders of members, which would keep each other alive.
    func reset() {
        members.removeAll()
        elements.removeAll()
        // Writing what is empty already takes longer than to see that.
        if !unfinished.isEmpty { unfinished = [] }
        if kind == .value { value = .null }
        if defaults != nil { defaults = nil }
        (kind, previous, uncollected) = (.nothing, nil, 0)
        leave()
    }

    private func takeObject() -> JSONObject {
        if let previous, uncollected == previous.count, members.count == 0 {
            return JSONObject(form: .small(previous))
        }
        collect()
        return members.takeObject()
    }

    private func copiedMembers() -> [Member] {
        collect()
        return members.copy
    }

    /// Collects the members that were only counted, because the object is not the same as in the previous version.
    private func collect() {
        guard let previous else { return }
        for position in 0..<uncollected { members.append(previous.elements[position]) }
        uncollected = 0
    }

    /// Reads the members and elements that were filled incrementally, and releases their encoders, which refer to this
    /// one.
    func finish() {
        if unfinished.isEmpty { return }
        for (index, encoder) in unfinished {
            switch kind {
            case .members: members[index] = Member(members[index].key, encoder.result)
            default: elements[index] = encoder.result
            }
        }
        unfinished = []
    }

    var codingPath: [any CodingKey] { CodingPath.keys(of: self) }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        become(.members, "an object")
        if let maker = state.containerMakers.maker(for: type) { return maker.container(of: self) }
        return KeyedEncodingContainer(MemberEncoder<Key>(self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        become(.elements, "an array")
        return ElementEncoder(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func become(_ kind: Kind, _ name: String) {
        if self.kind == kind { return }
        precondition(self.kind == .nothing, "a type encodes itself as \(name) and as another value")
        self.kind = kind
    }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() { (kind, value) = (.value, .null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        self.value = try state.encode(value, defaults, at: self, nil)
        kind = .value
    }
}

extension TreeEncoder {
    fileprivate func append(_ key: String, _ value: JSON) {
        if keepsMember(key, { $0.pointee.hasSameBytes(as: value) || value.isSpelled(like: $0.pointee.value!) }) {
            return
        }
        collect()
        members.append(Member(Text(key), value))
    }

    fileprivate func append(_ key: String, _ value: String) {
        if keepsMember(key, { $0.pointee.value!.isSpelled(value) }) { return }
        collect()
        members.append(Member(Text(key), JSON(value)))
    }

    /// Keeps the next member of the previous version if it has this key and the same value.
    @inline(__always)
    private func keepsMember(_ key: String, _ isSame: (UnsafeMutablePointer<Member>) -> Bool) -> Bool {
        guard let member = previousMember, member.pointee.key.isSpelled(key), isSame(member) else { return false }
        if members.count == 0 { uncollected += 1 } else { members.append(member.pointee) }
        return true
    }

    /// The member of the previous version at the place of the next one.
    private var previousMember: UnsafeMutablePointer<Member>? {
        let position = uncollected + members.count
        guard let previous, position < previous.count else { return nil }
        return previous.elements + position
    }

    /// The value of the previous version at the place of the next one, which usually has the same key.
    fileprivate var previousValue: JSON? { previousMember?.pointee.value }

    fileprivate func append(_ value: JSON) { elements.append(value) }

    fileprivate var elementCount: Int { elements.count }

    /// The encoder of a member that is filled incrementally: the same one on each request.
    fileprivate func child(_ key: some CodingKey) -> TreeEncoder {
        collect()
        let text = Text(key.stringValue)
        if let known = unfinished.first(where: { Text.sameBytes(members[$0.index].key, text) }) { return known.encoder }
        let encoder = TreeEncoder(state)
        encoder.begin(defaults?.object?[key.stringValue], previous: nil, at: self, key)
        unfinished.append((members.count, encoder))
        members.append(Member(text, .null))
        return encoder
    }

    /// The encoder of the next element, which is filled incrementally.
    fileprivate func nextChild() -> TreeEncoder {
        let encoder = TreeEncoder(state)
        encoder.begin(nil, previous: nil, at: self, AnyCodingKey(elements.count))
        unfinished.append((elements.count, encoder))
        elements.append(.null)
        return encoder
    }
}

/// Encodes the members of an object.
struct MemberEncoder<Key: CodingKey>: MemberEncoding {
    private let encoder: TreeEncoder

    init(_ encoder: TreeEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func defaults(_ key: String) -> JSON? { encoder.defaults?.object?[key] }

    func encodeNil(forKey key: Key) { encoder.append(key.stringValue, .null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let name = key.stringValue
        let previous = encoder.previousValue
        encoder.append(name, try encoder.state.encode(value, defaults(name), previous: previous, at: encoder, key))
    }

    // Most members are scalars, which have no defaults.
    func encode(_ value: Bool, forKey key: Key) { encoder.append(key.stringValue, .bool(value)) }
    func encode(_ value: String, forKey key: Key) { encoder.append(key.stringValue, value) }
    func encode(_ value: Int, forKey key: Key) { encoder.append(key.stringValue, JSON(value)) }
    func encode(_ value: Double, forKey key: Key) throws {
        if case .number(let previous) = encoder.previousValue, previous.isKnownDescription(of: value) {
            encoder.append(key.stringValue, .number(previous))
        } else {
            encoder.append(key.stringValue, try ScalarEncoding.number(value, JSONNumber(value), at: encoder, key))
        }
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
        encoder.child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.child(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.child(AnyCodingKey.parent) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    private let encoder: TreeEncoder

    init(_ encoder: TreeEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    func encodeNil() { encoder.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.append(try encoder.state.encode(value, nil, at: encoder, AnyCodingKey(count)))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.nextChild().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextChild().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.nextChild() }
}

extension Member {
    /// Whether the value is identical to another one because it has the same bytes, as most short ones have. Unlike a
    /// comparison of values, this counts no references.
    @inline(__always)
    fileprivate func hasSameBytes(as other: JSON) -> Bool {
        typealias Words = (UInt64, UInt64)
        return unsafeBitCast(value, to: Words.self) == unsafeBitCast(JSON?.some(other), to: Words.self)
    }
}

extension JSON {
    /// Whether this is what a string is encoded as.
    @inline(__always)
    fileprivate func isSpelled(_ string: String) -> Bool {
        if case .string(let mine) = self { mine.text.isSpelled(string) } else { false }
    }

    /// Whether this has the same spelling and order as another value; false also for equal large containers that do not
    /// share their storage.
    fileprivate func isSpelled(like other: JSON) -> Bool {
        if isIdentical(to: other) { return true }
        switch (self, other) {
        case (.array(let mine), .array(let theirs)):
            guard case (.small(let mine), .small(let theirs)) = (mine.form, theirs.form), mine.count == theirs.count
            else { return false }
            return (0..<mine.count).allSatisfy { mine.elements[$0].isSpelled(like: theirs.elements[$0]) }
        case (.object(let mine), .object(let theirs)):
            guard case (.small(let mine), .small(let theirs)) = (mine.form, theirs.form), mine.count == theirs.count
            else { return false }
            return (0..<mine.count).allSatisfy {
                let (mine, theirs) = (mine.elements[$0], theirs.elements[$0])
                return Text.sameBytes(mine.key, theirs.key) && mine.value!.isSpelled(like: theirs.value!)
            }
        default: return false
        }
    }
}
