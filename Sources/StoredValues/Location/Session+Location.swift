internal import SessionMirror

extension Session {
    /// Returns the session of a file and a type. If the file cannot be opened, the session is in memory, with the error
    /// in its status.
    static func sharing(
        _ location: SessionLocation, _ defaults: Root, _ options: SessionOptions,
        _ check: (@Sendable (Root) throws -> Void)?
    ) -> Session {
        do throws(SessionError) {
            return try SharedFiles.shared.session(defaults, at: location.path(), options: options, check: check)
        } catch {
            return Session(defaults, inMemoryBecause: error, options, check)
        }
    }
}
