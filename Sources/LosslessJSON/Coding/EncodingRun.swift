/// One call of ``JSONValueEncoder``: what is known about the types that occur.
final class EncodingRun {
    /// How a type is encoded. Asking the runtime for conformances is slow, so each type is asked about once.
    private struct Traits {
        enum Way {
            case plain
            case tree
            case conversion(JSONConversions.Conversion)
            case dictionary
            case set
        }

        let way: Way
        let defaults: JSON?
    }

    private let conversions: JSONConversions
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var traits: [ObjectIdentifier: Traits] = [:]
    /// Where the last error that is not Swift's own came from.
    private var failurePath: [any CodingKey] = []

    init(_ conversions: JSONConversions, _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
    }

    private func traits<Value: Encodable>(of type: Value.Type) throws -> Traits {
        if let known = traits[ObjectIdentifier(type)] { return known }
        let way: Traits.Way =
            if type == JSON.self {
                .tree
            } else if let conversion = conversions[type] {
                .conversion(conversion)
            } else if type is any DictionaryEncoding.Type {
                .dictionary
            } else if type is any SetEncoding.Type {
                .set
            } else {
                .plain
            }
        // Its own default may hold values of the same type: those are written without defaults.
        traits[ObjectIdentifier(type)] = Traits(way: way, defaults: nil)
        let defaults = try (type as? any Defaulted.Type).map { try encode($0.init(), nil, nil) }
        let found = Traits(way: way, defaults: defaults)
        traits[ObjectIdentifier(type)] = found
        return found
    }

    func encode<Value: Encodable>(_ value: Value, _ defaults: JSON?, _ path: CodingPath?) throws -> JSON {
        if let scalar = try ScalarEncoding.encode(value, path) { return scalar }
        let traits = try traits(of: Value.self)
        switch traits.way {
        case .tree: return value as! JSON
        case .conversion(let conversion): return try remembering(path) { try conversion.encode(value) }
        case .dictionary: return try (value as! any DictionaryEncoding).encode(self, path)
        case .set: return try (value as! any SetEncoding).encode(self, path)
        case .plain:
            let encoder = TreeEncoder(self, defaults.unlessNull ?? traits.defaults, path)
            try remembering(path) { try value.encode(to: encoder) }
            return encoder.result
        }
    }

    /// The deepest place at which something was thrown is the one to name.
    private func remembering<Result>(_ path: CodingPath?, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let keys = CodingPath.keys(of: path)
            if keys.count > failurePath.count { failurePath = keys }
            throw error
        }
    }

    /// Any error as one that names the path in words.
    func worded(_ error: any Error) -> JSONCodingError {
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

/// Encodes the types that JSON's own scalars stand for.
enum ScalarEncoding {
    /// nil when `value` is none of them.
    static func encode<Value>(_ value: Value, _ path: CodingPath?) throws -> JSON? {
        if Value.self == String.self { return JSON(same(value) as String) }
        if Value.self == Int.self { return JSON(same(value) as Int) }
        if Value.self == Bool.self { return JSON(same(value) as Bool) }
        if Value.self == Double.self { return try number(value, JSONNumber(same(value) as Double), path) }
        if Value.self == Float.self { return try number(value, JSONNumber(same(value) as Float), path) }
        if Value.self == UInt.self { return JSON(same(value) as UInt) }
        if Value.self == Int64.self { return JSON(same(value) as Int64) }
        if Value.self == UInt64.self { return JSON(same(value) as UInt64) }
        if Value.self == Int32.self { return JSON(same(value) as Int32) }
        if Value.self == UInt32.self { return JSON(same(value) as UInt32) }
        if Value.self == Int16.self { return JSON(same(value) as Int16) }
        if Value.self == UInt16.self { return JSON(same(value) as UInt16) }
        if Value.self == Int8.self { return JSON(same(value) as Int8) }
        if Value.self == UInt8.self { return JSON(same(value) as UInt8) }
        if Value.self == Int128.self { return JSON(same(value) as Int128) }
        if Value.self == UInt128.self { return JSON(same(value) as UInt128) }
        return nil
    }

    /// The two types are the same: the caller has compared them, and a cast would ask the runtime again.
    @inline(__always)
    private static func same<Value, Known>(_ value: Value) -> Known {
        precondition(Known.self == Value.self, "one type under two names")
        return unsafeBitCast(value, to: Known.self)
    }

    private static func number<Value>(_ value: Value, _ number: JSONNumber?, _ path: CodingPath?) throws -> JSON {
        guard let number else {
            let context = EncodingError.Context(
                codingPath: CodingPath.keys(of: path), debugDescription: "JSON has no number \(value)")
            throw EncodingError.invalidValue(value, context)
        }
        return .number(number)
    }
}
