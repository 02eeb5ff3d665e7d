internal import LosslessJSON

/// How values of a session become JSON, and the other way round.
struct Coding: Sendable {
    let conversions: JSONConversions
    /// What stands where the file says nothing.
    let defaults: JSON

    /// For a session without a file.
    static let standard = Coding(conversions: .standard, defaults: .object([:]))

    func encode(_ root: some Encodable) throws(JSONCodingError) -> JSON {
        try JSONValueEncoder(conversions: conversions).encode(root, defaults: defaults)
    }

    func decode<Root: Decodable>(_ type: Root.Type, from tree: JSON) throws(JSONCodingError) -> Root {
        try JSONValueDecoder(conversions: conversions).decode(type, from: tree, defaults: defaults)
    }
}
