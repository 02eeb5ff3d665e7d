/// Makes JSON values out of Swift values.
///
/// Members are in the order in which a type encodes them. Sets and dictionaries have no order of their own and are
/// written in the order of their elements and keys, so that equal values are written alike. Of dictionaries whose
/// keys are strings in JSON, among them enums of strings, an object is made.
///
/// nil is left out, unless the defaults have a value at that place: there it is written as `null`, so that reading
/// with the same defaults gives nil again.
public struct JSONValueEncoder: Sendable {
    /// How certain types are written.
    public var conversions: JSONConversions

    /// Handed to every type that is encoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder.
    public init(conversions: JSONConversions = JSONConversions()) { self.conversions = conversions }

    /// The JSON value of `value`.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - defaults: What a reader will take missing members from, usually an encoded default value.
    /// - Throws: what has no form in JSON first, with its path: infinities and what is not a number.
    public func encode(_ value: some Encodable, defaults: JSON? = nil) throws(JSONCodingError) -> JSON {
        let run = EncodingRun(conversions, userInfo)
        do {
            return try run.encode(value, defaults, nil)
        } catch {
            throw run.worded(error)
        }
    }
}
