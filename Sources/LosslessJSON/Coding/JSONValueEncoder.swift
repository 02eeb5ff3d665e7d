/// Encodes Swift values as JSON values.
///
/// Members have the order in which a type encodes them. Sets and dictionaries are sorted by element and key, so that
/// equal values are encoded alike. Dictionaries whose keys are strings in JSON, including string enums, become objects.
///
/// nil is omitted, unless the defaults have a value at the same path: then it is encoded as `null`, so that decoding
/// with the same defaults yields nil again.
public struct JSONValueEncoder: Sendable {
    /// Custom representations of certain types.
    public var conversions: JSONConversions

    /// Available to every encoded type.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder.
    public init(conversions: JSONConversions = JSONConversions()) { self.conversions = conversions }

    /// Encodes `value`.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - defaults: The defaults that the decoder will use, usually an encoded default value.
    /// - Throws: ``JSONCodingError`` for the first value that JSON cannot represent, such as infinities and NaN, with
    ///   its path.
    public func encode(_ value: some Encodable, defaults: JSON? = nil) throws(JSONCodingError) -> JSON {
        try encode(value, defaults, EncodingState(conversions, userInfo))
    }

    func encode(_ value: some Encodable, _ defaults: JSON?, _ state: EncodingState) throws(JSONCodingError) -> JSON {
        defer { state.releaseEncoders() }
        do {
            return try state.encode(value, defaults, at: nil, nil)
        } catch {
            throw state.codingError(from: error)
        }
    }
}

/// Custom JSON representations of types whose own `Codable` form is not suitable for people.
///
/// ```swift
/// var conversions = JSONConversions()
/// conversions.add(Color.self) { JSON($0.hexadecimal) } decode: { json in
///     guard let color = json.string.flatMap(Color.init(hexadecimal:)) else {
///         throw JSONMismatch(expected: "a color like #ff8800")
///     }
///     return color
/// }
/// ```
public struct JSONConversions: Sendable {
    struct Conversion: Sendable {
        let encode: @Sendable (Any) throws -> JSON
        let decode: @Sendable (JSON) throws -> any Sendable
    }

    private var conversions: [ObjectIdentifier: Conversion] = [:]

    /// Creates an empty set of conversions.
    public init() {}

    /// Adds a conversion for `type`, replacing any previous one.
    ///
    /// `decode` should throw a ``JSONMismatch`` to say what the value must be.
    public mutating func add<Value: Sendable>(
        _ type: Value.Type,
        encode: @escaping @Sendable (Value) throws -> JSON,
        decode: @escaping @Sendable (JSON) throws -> Value
    ) {
        // The type is the key, so that the cast cannot fail.
        conversions[ObjectIdentifier(type)] = Conversion(encode: { try encode($0 as! Value) }, decode: decode)
    }

    subscript(type: Any.Type) -> Conversion? { conversions[ObjectIdentifier(type)] }
}
