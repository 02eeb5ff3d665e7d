#if InotifyTools
@testable import FileWatching

/// The single instance of libinotifytools in this process, which the shared service uses.
enum SharedInotifyTools {
    /// Runs `body` with it on the watching thread.
    static func change<Result: Sendable>(_ body: @escaping @Sendable (inout InotifyTools) -> Result) -> Result {
        WatchService.shared.perform { loop in
            var inotify = loop.backend.inotify as! AutomaticInotify
            var tools = inotify.active as! InotifyTools
            defer {
                inotify.active = tools
                loop.backend.inotify = inotify
            }
            return body(&tools)
        }
    }
}
#endif
