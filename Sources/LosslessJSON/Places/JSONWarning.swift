/// Something odd about a valid text.
public struct JSONWarning: JSONDiagnostic, Hashable {
    /// What kind of oddity.
    public enum Code: String, Sendable {
        /// An object has a key twice; the last one counts.
        case repeatedKey = "repeated-key"
    }

    /// What kind of oddity.
    public let code: Code

    /// The path of the member in question.
    public let path: JSONPointer

    /// What is the matter, on one line.
    public let message: String

    /// The place of the key that counts.
    public let location: JSONLocation?

    /// The place of the same key before it, which does not count.
    public let earlier: JSONLocation

    /// The line of the key that counts.
    public let excerpt: JSONExcerpt?

    /// Always a warning.
    public var severity: JSONSeverity { .warning }

    static func repeatedKey(
        _ path: JSONPointer, at location: JSONLocation, earlier: JSONLocation, _ excerpt: JSONExcerpt
    ) -> JSONWarning {
        let key = JSON(path.tokens.last ?? "").inMessage
        return JSONWarning(
            code: .repeatedKey, path: path,
            message: "the key \(key) stands here again; the one at \(earlier) does not count",
            location: location, earlier: earlier, excerpt: excerpt)
    }
}
