public import FoundationEssentials

extension Session {
    /// Opens a session of the file at a URL; otherwise as with a path.
    ///
    /// - Throws: A ``SessionError`` if the URL is not a file URL, the path cannot be watched, or the defaults are unusable.
    public convenience init(
        _ defaults: Root, at url: URL, options: SessionOptions = SessionOptions(),
        check: (@Sendable (Root) throws -> Void)? = nil
    ) throws(SessionError) {
        guard url.isFileURL else { throw SessionError(.cannotWatch, "\(url) is not the URL of a file") }
        try self.init(defaults, at: url.path(percentEncoded: false), options: options, check: check)
    }
}
