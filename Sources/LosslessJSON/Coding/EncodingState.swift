/// The state of one ``JSONValueEncoder`` call: what is known of types, encoders to use again, and the path of the last
/// failure.
final class EncodingState {
    /// How to encode a type. Dynamic conformance checks are slow, so each type is checked once.
    private final class TypeTraits {
        enum Method {
            case codable
            case json
            case conversion(JSONConversions.Conversion)
            case collection(any CollectionEncoding.Type)
        }

        let type: ObjectIdentifier
        let method: Method
        var defaults: JSON?

        init(_ type: ObjectIdentifier, _ method: Method) { (self.type, self.method) = (type, method) }
    }

    private let conversions: JSONConversions
    let userInfo: [CodingUserInfoKey: any Sendable]
    @exclusivity(unchecked) private var traits = [ObjectIdentifier: TypeTraits](minimumCapacity: 12)
    /// Some of ``traits``, each in a place that follows from the address of its type.
    @exclusivity(unchecked) private var recentTraits = [TypeTraits?](repeating: nil, count: 16)
    @exclusivity(unchecked) var containerMakers = KeyedContainerMakers()
    /// The first of the encoders that are not in use, as a list: an array would count references to each.
    @exclusivity(unchecked) private var idleEncoder: TreeEncoder?
    /// The path of the last error that is not an `EncodingError`.
    private var failurePath: [any CodingKey] = []
    /// The collections of the last version, unless nothing is remembered, or a remembered collection is being encoded.
    var memory: EncodingMemory.Versions?
    /// Whether a collection is being encoded whose elements cannot be compared by their bytes.
    private var isSharing = false
    private let convertsStringLists: Bool

    init(_ conversions: JSONConversions, _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
        convertsStringLists = conversions[[String].self] != nil
    }

    /// Must be called at the end: the encoders refer to this object.
    func releaseEncoders() { idleEncoder = nil }

    private func traits<Value: Encodable>(
        of type: Value.Type, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> TypeTraits {
        let identifier = ObjectIdentifier(type)
        let place = identifier.placeInTable
        if let recent = recentTraits[place], recent.type == identifier { return recent }
        let traits = try traits[identifier] ?? addTraits(of: type, at: parent, key)
        recentTraits[place] = traits
        return traits
    }

    private func addTraits<Value: Encodable>(
        of type: Value.Type, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> TypeTraits {
        let kind = TypeKind.of(type)
        let method: TypeTraits.Method =
            if type == JSON.self {
                .json
            } else if let conversion = conversions[type] {
                .conversion(conversion)
            } else if let collection = kind.encodedCollection {
                .collection(collection)
            } else {
                .codable
            }
        let found = TypeTraits(ObjectIdentifier(type), method)
        // A type's default may contain values of the same type, which are encoded without defaults.
        traits[found.type] = found
        if case .codable = method { found.defaults = try defaults(of: kind, at: parent, key) }
        return found
    }

    private func defaults(of kind: TypeKind, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON? {
        if let type = kind.defaulted { return try encode(type.init(), nil, at: nil, nil) }
        do throws(InvalidDefaults) {
            return try TypeDefaults.partial(of: kind)
        } catch {
            let context = EncodingError.Context(
                codingPath: CodingPath.keys(of: parent, key), debugDescription: error.description)
            throw EncodingError.invalidValue(error.found, context)
        }
    }

    /// Encodes the value at `key` in `parent`; without a key, that at `parent` itself.
    ///
    /// - Parameter previous: What it was encoded as in the previous version, if that is known: a struct or a short list of
    ///   strings that is the same is encoded as this very node.
    func encode<Value: Encodable>(
        _ value: Value, _ defaults: JSON?, previous: JSON? = nil, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON {
        if let scalar = try ScalarEncoding.encode(value, at: parent, key) { return scalar }
        if let strings = encodeShortStringList(value, previous: previous) { return strings }
        let traits = try traits(of: Value.self, at: parent, key)
        switch traits.method {
        case .json: return retyped(value)
        case .conversion(let conversion):
            do {
                return try conversion.encode(value)
            } catch {
                recordFailure(at: parent, key)
                throw error
            }
        case .collection(let type): return try encode(value, as: type, at: parent, key)
        case .codable:
            return try encodeCodable(value, defaults.unlessNull ?? traits.defaults, previous: previous, at: parent, key)
        }
    }

    /// A short list of strings, which many types have; nil if `value` is anything else.
    private func encodeShortStringList<Value>(_ value: Value, previous: JSON?) -> JSON? {
        guard Value.self == [String].self, !convertsStringLists else { return JSON?.none }
        let strings = retyped(value) as [String]
        guard strings.count < EncodingMemory.smallestCollection else { return JSON?.none }
        if strings.isEmpty { return .array(JSONArray()) }
        if case .array(let array) = previous, array.isEncoded(strings) { return previous }
        let page = Page<JSON>.make(strings.count) { start in
            for (index, string) in strings.enumerated() { (start + index).initialize(to: JSON(string)) }
        }
        return .array(JSONArray(form: .small(page)))
    }

    private func encode<Value: Encodable>(
        _ value: Value, as type: any CollectionEncoding.Type, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON {
        func encode<Collection: CollectionEncoding>(_ type: Collection.Type) throws -> JSON {
            let collection = retyped(value) as Collection
            guard memory != nil, collection.count >= EncodingMemory.smallestCollection else {
                return try collection.encode(self, at: parent, key)
            }
            if isSharing, !collection.hasBytewiseElements(like: nil) {
                return try collection.encode(self, at: parent, key)
            }
            let keys = CodingPath.keys(of: parent, key).map(\.stringValue)
            let path = CollectionPath(keys: keys, type: ObjectIdentifier(type))
            let isBytewise = isSharing || collection.hasBytewiseElements(like: memory?.old[path])
            guard isBytewise, var memory = memory.take() else {
                return try encodeSharing(collection, path, at: parent, key)
            }
            // Inside of this collection nothing else is remembered: an element is encoded as a whole.
            defer { self.memory = memory }
            let earlier = memory.old[path]
            let changed = earlier.flatMap { encodeChanges(in: collection, since: $0, at: parent, key) }
            let source = earlier == nil ? memory.source?[at: JSONPointer(keys)] : JSON?.none
            let node = try changed ?? self.encode(collection, sharing: source, isEncoded: false, at: parent, key)
            // They are those of the type, in each version.
            let usedBytes = earlier?.usedBytes ?? collection.usedBytes
            memory.new[path] = EncodingMemory.Collection(value: collection, node: node, usedBytes: usedBytes)
            return node
        }
        return try encode(type)
    }

    /// Encodes all of a collection. Collections in it may be remembered, but share nothing by themselves.
    private func encodeSharing(
        _ collection: some CollectionEncoding, _ path: CollectionPath, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON {
        isSharing = true
        defer { isSharing = false }
        let earlier = memory?.old[path]
        let old = earlier?.node ?? memory?.source?[at: JSONPointer(path.keys)]
        let node = try encode(collection, sharing: old, isEncoded: earlier != nil, at: parent, key)
        memory?.new[path] = EncodingMemory.Collection(value: nil, node: node, usedBytes: nil)
        return node
    }

    /// Encodes all of a collection, as nodes of `old` where they are the same.
    ///
    /// - Parameter isEncoded: Whether a collection was encoded as `old`, which then has its order.
    private func encode(
        _ collection: some CollectionEncoding, sharing old: JSON?, isEncoded: Bool, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON {
        guard let old else { return try collection.encode(self, at: parent, key) }
        if isEncoded || old.hasKeysInOrder, let shared = try collection.encode(sharing: old, self, at: parent, key) {
            return shared
        }
        let new = try collection.encode(self, at: parent, key)
        return SubtreeSharing.replacement(for: old, by: new) ?? old
    }

    /// nil if all elements must be encoded: also on an error, because that finds the first of several.
    private func encodeChanges(
        in collection: some CollectionEncoding, since old: EncodingMemory.Collection, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) -> JSON? {
        let failureBefore = failurePath
        do {
            return try collection.encodeChanges(since: old, self, at: parent, key)
        } catch {
            failurePath = failureBefore
            return nil
        }
    }

    private func encodeCodable<Value: Encodable>(
        _ value: Value, _ defaults: JSON?, previous: JSON?, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON {
        var encoder = nextEncoder()
        encoder.begin(defaults, previous: previous, at: parent, key)
        do {
            try value.encode(to: encoder)
        } catch {
            recordFailure(at: parent, key)
            encoder.reset()
            throw error
        }
        encoder.finish()
        guard isKnownUniquelyReferenced(&encoder) else {
            encoder.keep()
            return encoder.result
        }
        let result = encoder.takeResult()
        encoder.nextIdle = idleEncoder.take()
        idleEncoder = consume encoder
        return result
    }

    private func nextEncoder() -> TreeEncoder {
        guard let encoder = idleEncoder.take() else { return TreeEncoder(self) }
        idleEncoder = encoder.nextIdle.take()
        return encoder
    }

    /// Records the deepest path at which an error was thrown.
    private func recordFailure(at parent: CodingPath?, _ key: (any CodingKey)?) {
        let keys = CodingPath.keys(of: parent, key)
        if keys.count > failurePath.count { failurePath = keys }
    }

    /// Converts any error to one with a path and a message.
    func codingError(from error: any Error) -> JSONCodingError {
        if let error = error as? JSONCodingError { return error }
        guard case .invalidValue(_, let context) = error as? EncodingError else {
            return JSONCodingError(
                .unrepresentable, JSONPointer(failurePath), "cannot be written: \(error)", underlying: error)
        }
        let path = JSONPointer(context.codingPath)
        return JSONCodingError(
            .unrepresentable, path, "cannot be written: \(context.debugDescription)", underlying: error)
    }
}

/// Encodes the types that JSON scalars represent.
enum ScalarEncoding {
    /// nil if `value` has another type.
    static func encode<Value>(_ value: Value, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON? {
        if Value.self == String.self { return JSON(retyped(value) as String) }
        if Value.self == Int.self { return JSON(retyped(value) as Int) }
        if Value.self == Bool.self { return JSON(retyped(value) as Bool) }
        if Value.self == Double.self { return try number(value, JSONNumber(retyped(value) as Double), at: parent, key) }
        if Value.self == Float.self { return try number(value, JSONNumber(retyped(value) as Float), at: parent, key) }
        if Value.self == UInt.self { return JSON(retyped(value) as UInt) }
        if Value.self == Int64.self { return JSON(retyped(value) as Int64) }
        if Value.self == UInt64.self { return JSON(retyped(value) as UInt64) }
        if Value.self == Int32.self { return JSON(retyped(value) as Int32) }
        if Value.self == UInt32.self { return JSON(retyped(value) as UInt32) }
        if Value.self == Int16.self { return JSON(retyped(value) as Int16) }
        if Value.self == UInt16.self { return JSON(retyped(value) as UInt16) }
        if Value.self == Int8.self { return JSON(retyped(value) as Int8) }
        if Value.self == UInt8.self { return JSON(retyped(value) as UInt8) }
        if Value.self == Int128.self { return JSON(retyped(value) as Int128) }
        if Value.self == UInt128.self { return JSON(retyped(value) as UInt128) }
        return nil
    }

    static func number<Value>(
        _ value: Value, _ number: JSONNumber?, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON {
        guard let number else {
            let context = EncodingError.Context(
                codingPath: CodingPath.keys(of: parent, key), debugDescription: "JSON has no number \(value)")
            throw EncodingError.invalidValue(value, context)
        }
        return .number(number)
    }
}

extension JSON {
    /// Whether the keys are in the order in which a dictionary is encoded; true of anything but an object.
    fileprivate var hasKeysInOrder: Bool {
        guard case .object(let object) = self else { return true }
        var (last, isInOrder): (Text?, Bool) = (nil, true)
        object.forEachMember { key, _ in
            if isInOrder, let last, !Text.precedes(last, copy key) { isInOrder = false }
            last = copy key
        }
        return isInOrder
    }
}

extension JSONArray {
    /// Whether the array is what the strings are encoded as; false for a large one.
    fileprivate func isEncoded(_ strings: [String]) -> Bool {
        guard case .small(let page) = form, page.count == strings.count else { return false }
        return strings.indices.allSatisfy { page.elements[$0].isIdentical(to: JSON(strings[$0])) }
    }
}
