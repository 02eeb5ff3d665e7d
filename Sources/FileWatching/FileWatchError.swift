/// A watch that could not begin.
///
/// ```
/// /etc/app.json cannot be watched: this user's inotify instances are used up (limit 128); raise the limit: sysctl …
/// ```
public struct FileWatchError: Error, Sendable, Hashable {
    /// The path, as far as it could be made absolute.
    public let path: String

    /// Why, and what would help.
    public let reason: FileWatchReason

    /// What a program can tell it by.
    public var code: FileWatchReason.Code { reason.code }

    init(_ path: String, _ reason: FileWatchReason) { (self.path, self.reason) = (path, reason) }
}

extension FileWatchError: CustomStringConvertible {
    /// Path, reason and advice in one line.
    public var description: String {
        "\(path.isEmpty ? "an empty path" : path) cannot be watched: \(reason.explanation)"
    }
}
