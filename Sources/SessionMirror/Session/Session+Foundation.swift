public import FoundationEssentials

extension Session {
    /// Mirrors the file at a URL; as with a path otherwise.
    ///
    /// - Throws: A ``SessionError`` if it is no file's URL, the path cannot be watched, or the defaults are no use.
    public convenience init(
        _ defaults: Root, at url: URL, options: SessionOptions = SessionOptions(),
        check: (@Sendable (Root) throws -> Void)? = nil
    ) throws(SessionError) {
        guard url.isFileURL else { throw SessionError(.cannotWatch, "\(url) is not the URL of a file") }
        try self.init(defaults, at: url.path(percentEncoded: false), options: options, check: check)
    }
}
