/// How values of certain types are written, where their own `Codable` form is not what people should read.
///
/// ```swift
/// var conversions = JSONConversions()
/// conversions.add(Color.self) { JSON($0.hexadecimal) } decode: { json in
///     guard let color = json.string.flatMap(Color.init(hexadecimal:)) else {
///         throw JSONMismatch(expected: "a colour like #ff8800")
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

    /// No conversions.
    public init() {}

    /// Writes values of `type` with `encode` and reads them with `decode`, in place of any conversion before.
    ///
    /// `decode` throws a ``JSONMismatch`` to say what the value must be.
    public mutating func add<Value: Sendable>(
        _ type: Value.Type,
        encode: @escaping @Sendable (Value) throws -> JSON,
        decode: @escaping @Sendable (JSON) throws -> Value
    ) {
        // The identifier of the type is the key, so that the cast cannot fail.
        conversions[ObjectIdentifier(type)] = Conversion(encode: { try encode($0 as! Value) }, decode: decode)
    }

    subscript(type: Any.Type) -> Conversion? { conversions[ObjectIdentifier(type)] }
}
