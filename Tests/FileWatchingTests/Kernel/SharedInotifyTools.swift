#if InotifyTools
@testable import FileWatching

/// The single instance of libinotifytools in this process, which the shared service uses.
enum SharedInotifyTools {
    /// Runs `body` with it on the watching thread.
    static func change<Result: Sendable>(_ body: @escaping @Sendable (InotifyTools) -> Result) -> Result {
        WatchService.shared.perform { loop in
            let inotify = loop.backend.inotify as! AutomaticInotify
            return body(inotify.active as! InotifyTools)
        }
    }
}
#endif
