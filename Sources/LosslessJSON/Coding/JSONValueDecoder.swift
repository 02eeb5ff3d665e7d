/// Makes Swift values out of JSON values, filling what is missing from defaults.
///
/// ```swift
/// let defaults = try JSONValueEncoder().encode(Server())
/// let server = try JSONValueDecoder().decode(Server.self, from: document.value, defaults: defaults)
/// ```
///
/// The decoder goes down the value and the defaults side by side:
///
/// - A key that is missing takes the value of the defaults at that place. `null` is nil and not missing.
/// - The keys of dictionaries, and the case of an enum, are those of the value alone.
/// - Elements of arrays and dictionaries take defaults only from their own type, if that is ``Defaulted``.
///
/// Numbers are exact: `8080.0` and `8e3` are whole numbers, `1.5` is not, and nothing is ever cut off.
public struct JSONValueDecoder: Sendable {
    /// How certain types are read.
    public var conversions: JSONConversions

    /// Handed to every type that is decoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder.
    public init(conversions: JSONConversions = JSONConversions()) { self.conversions = conversions }

    /// The value of `type` that `json` describes.
    ///
    /// - Parameters:
    ///   - type: The type to make.
    ///   - json: The value to read.
    ///   - defaults: What to take missing members from, usually an encoded default value.
    /// - Throws: what does not fit first, with its path.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from json: JSON, defaults: JSON? = nil
    ) throws(JSONCodingError) -> Value {
        let run = DecodingRun(conversions, userInfo)
        do {
            return try run.decode(type, DecodingPlace(json, fallback: defaults, path: nil))
        } catch {
            throw run.worded(error)
        }
    }
}

extension JSONDocument {
    /// The value of `type` that this document describes.
    ///
    /// - Parameters:
    ///   - type: The type to make.
    ///   - decoder: How to read.
    ///   - defaults: What to take missing members from, usually an encoded default value.
    /// - Throws: what does not fit first, with its path and its place in the text.
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
