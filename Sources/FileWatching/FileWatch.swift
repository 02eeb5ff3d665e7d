public final class FileWatch: Sendable {
    public init(_ path: String, handler: @escaping @Sendable (FileWatchSignal) -> Void) throws(FileWatchError) {}
    public func cancel() {}
    public var metrics: FileWatchMetrics { .init() }
}
public struct FileWatchMetrics: Sendable { public var rearms = 0, overflows = 0 }
public struct FileWatchError: Error {}
public enum FileWatchStatus: Sendable, Hashable {
    case live
    case polling(String)
}
public enum FileWatchSignal: Sendable {
    case lookAgain
    case status(FileWatchStatus)
}
