/// The state of one ``JSONValueEncoder`` call: cached type information and the path of the last failure.
final class EncodingState {
    /// How to encode a type. Dynamic conformance checks are slow, so each type is checked once.
    private struct TypeInfo {
        enum Method {
            case codable
            case json
            case conversion(JSONConversions.Conversion)
            case dictionary
            case set
        }

        let method: Method
        let defaults: JSON?
    }

    private let conversions: JSONConversions
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var typeInfo: [ObjectIdentifier: TypeInfo] = [:]
    /// The path of the last error that is not an `EncodingError`.
    private var failurePath: [any CodingKey] = []

    init(_ conversions: JSONConversions, _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
    }

    private func typeInfo<Value: Encodable>(of type: Value.Type, _ path: CodingPath?) throws -> TypeInfo {
        if let known = typeInfo[ObjectIdentifier(type)] { return known }
        let method: TypeInfo.Method =
            if type == JSON.self {
                .json
            } else if let conversion = conversions[type] {
                .conversion(conversion)
            } else if type is any DictionaryEncoding.Type {
                .dictionary
            } else if type is any SetEncoding.Type {
                .set
            } else {
                .codable
            }
        // A type's default may contain values of the same type, which are encoded without defaults.
        typeInfo[ObjectIdentifier(type)] = TypeInfo(method: method, defaults: nil)
        var defaults: JSON?
        if case .codable = method { defaults = try self.defaults(of: type, path) }
        let found = TypeInfo(method: method, defaults: defaults)
        typeInfo[ObjectIdentifier(type)] = found
        return found
    }

    private func defaults(of type: Any.Type, _ path: CodingPath?) throws -> JSON? {
        if let type = type as? any Defaulted.Type { return try encode(type.init(), nil, nil) }
        do throws(InvalidDefaults) {
            return try TypeDefaults.partial(of: type)
        } catch {
            let context = EncodingError.Context(
                codingPath: CodingPath.keys(of: path), debugDescription: error.description)
            throw EncodingError.invalidValue(error.found, context)
        }
    }

    func encode<Value: Encodable>(_ value: Value, _ defaults: JSON?, _ path: CodingPath?) throws -> JSON {
        if let scalar = try ScalarEncoding.encode(value, path) { return scalar }
        let typeInfo = try typeInfo(of: Value.self, path)
        switch typeInfo.method {
        case .json: return value as! JSON
        case .conversion(let conversion): return try recordingFailure(path) { try conversion.encode(value) }
        case .dictionary: return try (value as! any DictionaryEncoding).encode(self, path)
        case .set: return try (value as! any SetEncoding).encode(self, path)
        case .codable:
            let encoder = TreeEncoder(self, defaults.unlessNull ?? typeInfo.defaults, path)
            try recordingFailure(path) { try value.encode(to: encoder) }
            return encoder.result
        }
    }

    /// Records the deepest path at which an error was thrown.
    private func recordingFailure<Result>(_ path: CodingPath?, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let keys = CodingPath.keys(of: path)
            if keys.count > failurePath.count { failurePath = keys }
            throw error
        }
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

    /// The caller has checked that the two types are equal; a cast would check again at run time.
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
