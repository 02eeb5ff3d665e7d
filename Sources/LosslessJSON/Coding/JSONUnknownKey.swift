/// A key of a decoded value that the type did not ask for: a misspelled key, or one of another version of the program.
public struct JSONUnknownKey: Sendable, Hashable {
    /// The path of the member.
    public let path: JSONPointer

    /// The most similar key that the type asked for and the object does not have; nil if none is similar.
    public let suggestion: String?

    /// Creates an unknown key.
    public init(path: JSONPointer, suggestion: String? = nil) { (self.path, self.suggestion) = (path, suggestion) }
}

extension JSONValueDecoder {
    /// Decodes a value of `type` from `json` and finds the keys that the type does not ask for.
    ///
    /// A type asks for a key when it requests its value or whether it is there. Dictionaries, ``JSON`` and
    /// conversions take all keys. The keys that a type asks for in an attempt that fails, such as the first of two
    /// possible forms, do not count as known.
    ///
    /// Decodes the value a second time if a key is unknown.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - json: The value to decode from.
    ///   - defaults: The source of missing members, usually an encoded default value. Their keys are not examined.
    ///   - unknownKeys: Receives the first 100 unknown keys, in the order of the text, instead of what it contained.
    /// - Throws: ``JSONCodingError`` for the first mismatch, with its path. `unknownKeys` is empty then.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from json: JSON, defaults: JSON? = nil, unknownKeys: inout [JSONUnknownKey]
    ) throws(JSONCodingError) -> Value {
        unknownKeys = []
        let state = DecodingState(conversions, userInfo)
        let value = try decode(type, DecodingNode(json, fallback: defaults, path: nil, .detecting), state)
        if state.mayHaveUnknownKeys { unknownKeys = self.unknownKeys(of: type, in: json, defaults) }
        return value
    }

    /// The unknown keys of a value that was decoded before; none if its type rejects it now.
    package func unknownKeys<Value: Decodable>(
        of type: Value.Type, in json: JSON, _ defaults: JSON?
    ) -> [JSONUnknownKey] {
        let trace = KeyTrace()
        let node = DecodingNode(json, fallback: defaults, path: nil, .tracing(trace))
        do throws(JSONCodingError) {
            _ = try decode(type, node, DecodingState(conversions, userInfo))
        } catch {
            return []
        }
        return UnknownKeySearch(of: trace, in: json).found
    }
}

extension JSONDocument {
    /// Decodes a value of `type` from this document and finds the keys that the type does not ask for.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder to use.
    ///   - defaults: The source of missing members, usually an encoded default value.
    ///   - unknownKeys: Receives the unknown keys, as of
    ///     ``JSONValueDecoder/decode(_:from:defaults:unknownKeys:)``. ``locationOfKey(of:)`` finds their locations.
    /// - Throws: ``JSONCodingError`` for the first mismatch, with its path and location.
    public func decode<Value: Decodable>(
        _ type: Value.Type, with decoder: JSONValueDecoder = JSONValueDecoder(), defaults: JSON? = nil,
        unknownKeys: inout [JSONUnknownKey]
    ) throws(JSONCodingError) -> Value {
        do throws(JSONCodingError) {
            return try decoder.decode(type, from: value, defaults: defaults, unknownKeys: &unknownKeys)
        } catch {
            throw locating(error)
        }
    }
}
