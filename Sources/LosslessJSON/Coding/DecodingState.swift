/// A value to decode, with the defaults for its missing members.
struct DecodingNode {
    let value: JSON
    let fallback: JSON?
    let path: CodingPath?
    let tracking: KeyTracking

    init(_ value: JSON, fallback: JSON? = nil, path: CodingPath?, _ tracking: KeyTracking = .off) {
        (self.value, self.fallback, self.path, self.tracking) = (value, fallback, path, tracking)
    }

    var codingPath: [any CodingKey] { CodingPath.keys(of: path) }
}

/// The state of one ``JSONValueDecoder`` call: cached type information and the path of the last failure.
final class DecodingState {
    /// How to decode a type. Dynamic conformance checks are slow, so each type is checked once.
    private final class TypeInfo {
        enum Method {
            case codable
            case json
            case conversion(JSONConversions.Conversion)
            case collection(any CollectionDecoding.Type)
        }

        let type: ObjectIdentifier
        let method: Method
        let defaults: JSON?

        init(_ type: ObjectIdentifier, _ method: Method, _ defaults: JSON?) {
            (self.type, self.method, self.defaults) = (type, method, defaults)
        }
    }

    private let conversions: JSONConversions
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var typeInfo = [ObjectIdentifier: TypeInfo](minimumCapacity: 12)
    /// Some of ``typeInfo``, each in a place that follows from the address of its type.
    @exclusivity(unchecked) private var recentTypeInfo = [TypeInfo?](repeating: nil, count: 16)
    @exclusivity(unchecked) var containerMakers = KeyedContainerMakers()
    /// The path of the last error that is not a `DecodingError`.
    private var failurePath: [any CodingKey] = []
    /// Names that are never unknown keys.
    let exemptNames: Set<String>
    /// Whether a value that was decoded with the tracking `detecting` may have an unknown key.
    var mayHaveUnknownKeys = false

    /// The collections that the last version was decoded to, unless nothing is remembered, or a remembered collection is
    /// being decoded.
    var memory: DecodingMemory.Versions?

    init(
        _ conversions: JSONConversions, _ userInfo: [CodingUserInfoKey: any Sendable],
        _ memory: DecodingMemory.Versions? = nil, exemptNames: Set<String> = []
    ) {
        self.conversions = conversions
        self.userInfo = userInfo
        self.memory = memory
        self.exemptNames = exemptNames
    }

    private func typeInfo<Value: Decodable>(of type: Value.Type, _ node: DecodingNode) throws -> TypeInfo {
        let identifier = ObjectIdentifier(type)
        let place = identifier.placeInTable
        if let recent = recentTypeInfo[place], recent.type == identifier { return recent }
        let found = try typeInfo[identifier] ?? addTypeInfo(of: type, node)
        recentTypeInfo[place] = found
        return found
    }

    private func addTypeInfo<Value: Decodable>(of type: Value.Type, _ node: DecodingNode) throws -> TypeInfo {
        let kind = TypeKind.of(type)
        let method: TypeInfo.Method =
            if type == JSON.self {
                .json
            } else if let conversion = conversions[type] {
                .conversion(conversion)
            } else if let collection = kind.decodedCollection {
                .collection(collection)
            } else {
                .codable
            }
        var defaults: JSON?
        if case .codable = method { defaults = try self.defaults(of: type, kind, node) }
        let found = TypeInfo(ObjectIdentifier(type), method, defaults)
        typeInfo[found.type] = found
        return found
    }

    private func defaults(of type: Any.Type, _ kind: TypeKind, _ node: DecodingNode) throws -> JSON? {
        if let type = kind.defaulted {
            var encoder = JSONValueEncoder(conversions: conversions)
            encoder.userInfo = userInfo
            return try encoder.encode(type.init())
        }
        do throws(InvalidDefaults) {
            return try TypeDefaults.partial(of: kind)
        } catch {
            let detail = CodingErrorDetail(code: .value, message: "is not valid: \(error)")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: node.codingPath, debugDescription: detail.message, underlyingError: detail))
        }
    }

    /// Decodes a value.
    ///
    /// - Parameter outer: The decoder of the same value, if a type decodes it as another type.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ node: DecodingNode, within outer: TreeDecoder? = nil
    ) throws -> Value {
        if ScalarDecoding.knows(type) { return try ScalarDecoding.decode(type, node) }
        let typeInfo = try typeInfo(of: type, node)
        let couldHaveUnknownKeys = mayHaveUnknownKeys
        do {
            guard let trace = node.tracking.trace else { return try decode(type, typeInfo, node, outer) }
            let attempt = KeyTrace()
            let traced = DecodingNode(node.value, fallback: node.fallback, path: node.path, .tracing(attempt))
            let value = try decode(type, typeInfo, traced, outer)
            trace.merge(attempt)
            return value
        } catch {
            mayHaveUnknownKeys = couldHaveUnknownKeys
            throw describing(error, type, typeInfo.defaults, node)
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ typeInfo: TypeInfo, _ node: DecodingNode, _ outer: TreeDecoder?
    ) throws -> Value {
        switch typeInfo.method {
        case .json:
            node.tracking.markValue(outer)
            return retyped(node.value)
        case .conversion(let conversion):
            node.tracking.markValue(outer)
            return try conversion.decode(node.value) as! Value
        case .collection(let collection):
            if case .object = node.value { node.tracking.markAllKeys(outer) }
            return try decode(collection, DecodingNode(node.value, path: node.path, node.tracking))
        case .codable:
            let fallback = node.fallback.unlessNull ?? typeInfo.defaults
            let node = DecodingNode(node.value, fallback: fallback, path: node.path, node.tracking)
            return try Value(from: TreeDecoder(self, node, within: outer))
        }
    }

    private func decode<Value>(_ type: any CollectionDecoding.Type, _ node: DecodingNode) throws -> Value {
        func decode<Collection: CollectionDecoding>(_ type: Collection.Type) throws -> Value {
            retyped(try collection(type, node))
        }
        return try decode(type)
    }

    private func collection<Collection: CollectionDecoding>(
        _ type: Collection.Type, _ node: DecodingNode
    ) throws -> Collection {
        guard node.tracking.trace == nil, !type.holdsObjects,
            DecodingMemory.remembers(node.value, fewest: type.fewestRemembered), let memory = memory.take()
        else { return try type.init(self, node) }
        return try rememberedCollection(type, node, memory)
    }

    /// By itself, because the optional type of the collection is looked up in each call.
    @inline(never)
    private func rememberedCollection<Collection: CollectionDecoding>(
        _ type: Collection.Type, _ node: DecodingNode, _ memory: consuming DecodingMemory.Versions
    ) throws -> Collection {
        // Inside of this collection nothing else is remembered: an element is decoded as a whole.
        defer { self.memory = memory }
        let path = CollectionPath(keys: node.codingPath.map(\.stringValue), type: ObjectIdentifier(type))
        let couldHaveUnknownKeys = mayHaveUnknownKeys
        mayHaveUnknownKeys = false
        let collection = try memory.changed(type, path, node, self) ?? type.init(self, node)
        memory.remember(collection, of: node, at: path, mayHaveUnknownKeys: mayHaveUnknownKeys)
        mayHaveUnknownKeys = mayHaveUnknownKeys || couldHaveUnknownKeys
        return collection
    }

    private func describing<Value>(
        _ error: any Error, _ type: Value.Type, _ defaults: JSON?, _ node: DecodingNode
    ) -> any Error {
        switch error {
        case let error as DecodingError:
            let error = describingCases(error, type, node)
            guard let defaults, node.fallback.unlessNull == nil else { return error }
            return error.naming(type, defaults, node)
        case let mismatch as JSONMismatch:
            return ScalarDecoding.mismatch(mismatch.expected, type, node, code: .value)
        default:
            recordFailure(at: node)
            return error
        }
    }

    /// Records the deepest path, unless an earlier failure there was caught and another one occurred elsewhere.
    private func recordFailure(at node: DecodingNode) {
        let path = node.codingPath
        let isAbove =
            path.count < failurePath.count && zip(path, failurePath).allSatisfy { $0.stringValue == $1.stringValue }
        if !isAbove { failurePath = path }
    }

    /// Replaces the error of an enum, which says only that the value is invalid, by one that lists the cases.
    private func describingCases<Value>(_ error: DecodingError, _ type: Value.Type, _ node: DecodingNode)
        -> DecodingError
    {
        guard case .dataCorrupted(let context) = error, !(context.underlyingError is CodingErrorDetail),
            context.codingPath.count == node.codingPath.count, type is any RawRepresentable.Type
        else { return error }
        let cases = (type as? any CaseIterable.Type).map { rawValues(of: $0) } ?? []
        let expected = cases.isEmpty ? "a valid \(type)" : "one of " + cases.map(\.description).joined(separator: ", ")
        return ScalarDecoding.mismatch(expected, type, node, code: .value)
    }

    private func rawValues<Cases: CaseIterable>(of type: Cases.Type) -> [JSON] {
        type.allCases.prefix(24).compactMap { one in
            switch (one as? any RawRepresentable)?.rawValue {
            case let string as String: JSON(string)
            case let integer as any FixedWidthInteger: JSON(integer)
            default: nil
            }
        }
    }

    /// Converts any error to one with a path and a message.
    func codingError(from error: any Error) -> JSONCodingError {
        guard let error = error as? DecodingError else {
            if let error = error as? JSONCodingError { return error }
            return JSONCodingError(.value, JSONPointer(failurePath), "is not valid: \(error)", underlying: error)
        }
        let (context, code): (DecodingError.Context, JSONCodingError.Code) =
            switch error {
            case .typeMismatch(_, let context): (context, .type)
            case .valueNotFound(_, let context): (context, .missing)
            case .keyNotFound(let key, let context):
                (DecodingError.Context(codingPath: context.codingPath + [key], debugDescription: ""), .missing)
            case .dataCorrupted(let context): (context, .value)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(error)"), .value)
            }
        let path = JSONPointer(context.codingPath)
        if let detail = context.underlyingError as? CodingErrorDetail {
            return JSONCodingError(detail.code, path, detail.message, underlying: error)
        }
        let text = code == .missing ? "is missing" : "is not valid: \(context.debugDescription)"
        return JSONCodingError(code, path, text, underlying: error)
    }
}
