/// Decodes Swift values from JSON values, with defaults for missing members.
///
/// ```swift
/// let defaults = try JSONValueEncoder().encode(Server())
/// let server = try JSONValueDecoder().decode(Server.self, from: document.value, defaults: defaults)
/// ```
///
/// The decoder traverses the value and the defaults in parallel:
///
/// - A missing key takes the value of the defaults at the same path. `null` is nil rather than missing.
/// - The keys of dictionaries and the case of an enum come from the value only.
/// - Elements of arrays and dictionaries take defaults only from their own type, if that is ``Defaulted`` or
///   ``PartlyDefaulted``.
///
/// Numbers are exact: `8080.0` and `8e3` are whole numbers, `1.5` is not, and nothing is truncated.
public struct JSONValueDecoder: Sendable {
    /// Custom representations of certain types.
    public var conversions: JSONConversions

    /// Available to every decoded type.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    public init(conversions: JSONConversions = JSONConversions()) { self.conversions = conversions }

    /// Decodes a value of `type` from `json`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - json: The value to decode from.
    ///   - defaults: The source of missing members, usually an encoded default value.
    /// - Throws: ``JSONCodingError`` for the first mismatch, with its path.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from json: JSON, defaults: JSON? = nil
    ) throws(JSONCodingError) -> Value {
        try decode(type, DecodingNode(json, fallback: defaults, path: nil), DecodingState(conversions, userInfo))
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ node: DecodingNode, _ state: DecodingState
    ) throws(JSONCodingError) -> Value {
        do {
            return try state.decode(type, node)
        } catch {
            throw state.codingError(from: error)
        }
    }
}

extension JSONDocument {
    /// Decodes a value of `type` from this document.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder to use.
    ///   - defaults: The source of missing members, usually an encoded default value.
    /// - Throws: ``JSONCodingError`` for the first mismatch, with its path and location.
    public func decode<Value: Decodable>(
        _ type: Value.Type, with decoder: JSONValueDecoder = JSONValueDecoder(), defaults: JSON? = nil
    ) throws(JSONCodingError) -> Value {
        do throws(JSONCodingError) {
            return try decoder.decode(type, from: value, defaults: defaults)
        } catch {
            throw locating(error)
        }
    }
}

/// A type whose `init()` creates its default value.
///
/// Array elements and dictionary values have no defaults at their path: the elements of a default value are examples,
/// not templates. A `Defaulted` type supplies its own, so that an element can omit keys:
///
/// ```swift
/// struct Route: Defaulted {
///     var path = "/"
///     var retries = 3
/// }
/// struct Server: Codable {
///     var routes: [Route] = []        // {"routes": [{"path": "/api"}]} has 3 retries
/// }
/// ```
///
/// A type whose members cannot all have defaults is ``PartlyDefaulted``.
public protocol Defaulted: Codable {
    /// Creates the default value.
    init()
}

extension JSON? {
    /// nil for a default of null, which means the same as no default, so that the type's own applies.
    var unlessNull: JSON? { self?.isNull == true ? .none : self }
}
