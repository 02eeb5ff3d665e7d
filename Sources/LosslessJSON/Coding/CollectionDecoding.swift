/// Decodes collections directly: their own `Decodable` conformance would request each element through three layers of
/// dynamic types.
protocol CollectionDecoding {
    /// Whether its elements are objects.
    static var holdsObjects: Bool { get }

    /// Decoding a collection of fewer elements costs less than remembering it.
    static var fewestRemembered: Int { get }

    init(_ state: DecodingState, _ node: DecodingNode) throws

    /// Decodes only the elements in which a node differs from the one that this collection was decoded from; nil if
    /// their elements do not correspond.
    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> Self?
}

extension Array: CollectionDecoding where Element: Decodable {
    static var holdsObjects: Bool { Element.self is AnyClass }
    static var fewestRemembered: Int { ScalarDecoding.knows(Element.self) ? DecodingMemory.largeCollection : 3 }

    init(_ state: DecodingState, _ node: DecodingNode) throws {
        guard let elements = node.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, node) }
        if let scalars = Self.decodeScalars(elements) {
            self = scalars
            return
        }
        self.init()
        reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() { append(try Self.element(value, at: index, state, node)) }
    }

    private static func element(
        _ value: JSON, at index: Int, _ state: DecodingState, _ node: DecodingNode
    ) throws -> Element {
        let path = CodingPath(node.path, AnyCodingKey(index))
        return try state.decode(Element.self, DecodingNode(value, path: path, node.tracking.child(String(index))))
    }

    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> [Element]? {
        guard let before = old.array, let after = node.value.array, before.count == count else { return nil }
        guard after.count == count else { return try resized(from: before, to: after, state, node) }
        var result = self
        var failure: (any Error)?
        before.forEachUnsharedPair(with: after) { index, _, theirs in
            if failure != nil { return }
            do { result[index] = try Self.element(theirs, at: index, state, node) } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Keeps the elements before and after an insertion or a removal.
    private func resized(
        from before: JSONArray, to after: JSONArray, _ state: DecodingState, _ node: DecodingNode
    ) throws -> [Element] {
        let (prefix, suffix) = JSONArray.commonPrefixAndSuffix(before, after, JSONArray.isIdentical)
        var result = Array(self[..<prefix])
        result.reserveCapacity(after.count)
        for index in prefix..<after.count - suffix {
            result.append(try Self.element(after[index], at: index, state, node))
        }
        result += self[(count - suffix)...]
        return result
    }

    /// Decodes elements of the most common scalar types; nil if an element has another type, or for other types.
    private static func decodeScalars(_ elements: JSONArray) -> [Element]? {
        if Element.self == String.self { return same(ScalarDecoding.all(elements) { $0.decodableString }) }
        if Element.self == Int.self { return same(ScalarDecoding.all(elements) { $0.int }) }
        if Element.self == Double.self { return same(ScalarDecoding.all(elements) { $0.double }) }
        return nil
    }

    /// The caller has checked that the two types are equal.
    private static func same<Scalar>(_ scalars: [Scalar]?) -> [Element]? {
        precondition(Scalar.self == Element.self, "one type under two names")
        return unsafeBitCast(scalars, to: [Element]?.self)
    }
}

/// The values of dictionaries take no defaults from their location, and keys that are strings in JSON form an object,
/// whatever their Swift type.
extension Dictionary: CollectionDecoding where Key: Decodable, Value: Decodable {
    static var holdsObjects: Bool { Value.self is AnyClass }
    static var fewestRemembered: Int { ScalarDecoding.knows(Value.self) ? DecodingMemory.largeCollection : 3 }

    init(_ state: DecodingState, _ node: DecodingNode) throws {
        switch node.value {
        case .object(let members):
            // Updating needs fewer of the types that are looked up for each generic call than a subscript does.
            var values = [Key: Value](minimumCapacity: members.count)
            for (name, value) in members {
                let (key, value) = try decodeMember(Key.self, Value.self, name, value, state, node)
                values.updateValue(value, forKey: key)
            }
            self = values
        case .array(let pairs) where Key.self != String.self && pairs.count.isMultiple(of: 2):
            self.init(minimumCapacity: pairs.count / 2)
            for index in stride(from: 0, to: pairs.count, by: 2) {
                let paths = (CodingPath(node.path, AnyCodingKey(index)), CodingPath(node.path, AnyCodingKey(index + 1)))
                let trackings = (node.tracking.child(String(index)), node.tracking.child(String(index + 1)))
                let key = try state.decode(Key.self, DecodingNode(pairs[index], path: paths.0, trackings.0))
                self[key] = try state.decode(
                    Value.self, DecodingNode(pairs[index + 1], path: paths.1, trackings.1))
            }
        default: throw ScalarDecoding.mismatch("an object", Self.self, node)
        }
    }

    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> [Key: Value]? {
        guard let before = old.object, let after = node.value.object, before.count == count else { return nil }
        var result = self
        var failure: (any Error)?
        before.forEachUnsharedPair(with: after) { name, _, theirs in
            if failure != nil { return }
            let name = (copy name).string
            do {
                if let theirs {
                    let (key, value) = try decodeMember(Key.self, Value.self, name, theirs, state, node)
                    result.updateValue(value, forKey: key)
                } else {
                    let path = CodingPath(node.path, AnyCodingKey(name))
                    result[try decodeKey(Key.self, name, state, path)] = nil
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // Strings of other bytes may be the same key.
        return result.count == after.count ? result : nil
    }
}

// Not methods of dictionaries, because the type of the dictionary would be looked up for each member.

private func decodeMember<Key: Decodable, Value: Decodable>(
    _: Key.Type, _: Value.Type, _ name: String, _ value: JSON, _ state: DecodingState, _ node: DecodingNode
) throws -> (Key, Value) {
    let path = CodingPath(node.path, AnyCodingKey(name))
    let key = try decodeKey(Key.self, name, state, path)
    return (key, try state.decode(Value.self, DecodingNode(value, path: path, node.tracking.child(name))))
}

private func decodeKey<Key: Decodable>(
    _: Key.Type, _ name: String, _ state: DecodingState, _ path: CodingPath
) throws -> Key {
    if Key.self == String.self, !name.exceedsCombiningMarkLimit { return retyped(name) }
    return try decodeRareKey(Key.self, name, state, path)
}

/// By itself, because the optional types of its casts are looked up in each call.
@inline(never)
private func decodeRareKey<Key: Decodable>(
    _: Key.Type, _ name: String, _ state: DecodingState, _ path: CodingPath
) throws -> Key {
    let node = DecodingNode(JSON(name), path: path)
    if name.exceedsCombiningMarkLimit {
        throw ScalarDecoding.mismatch("a key \(String.combiningMarkLimitText)", Key.self, node, code: .value)
    }
    if let integer = Key.self as? any FixedWidthInteger.Type {
        // Only in canonical form: 1.0 and 1 would be the same key.
        guard let key = integer.init(name, radix: 10) as? Key, "\(key)" == name else {
            throw ScalarDecoding.mismatch("a whole number in quotes", Key.self, node, code: .value)
        }
        return key
    }
    if let type = Key.self as? any CodingKeyRepresentable.Type {
        guard let key = type.init(codingKey: AnyCodingKey(either: name)) as? Key else {
            throw ScalarDecoding.mismatch("a valid \(Key.self)", Key.self, node, code: .value)
        }
        return key
    }
    return try state.decode(Key.self, node)
}
