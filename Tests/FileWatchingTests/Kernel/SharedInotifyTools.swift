#if InotifyTools
@testable import FileWatching

/// The single instance of libinotifytools in this process, which the shared service uses.
enum SharedInotifyTools {
    /// Runs `body` with it on the watching thread.
    static func change<Result: Sendable>(_ body: @escaping @Sendable (inout InotifyTools) -> Result) -> Result {
        WatchService.shared.perform { loop in
            let backend = loop.backend as! InotifyBackend<AutomaticInotify>
            var tools = backend.inotify.active as! InotifyTools
            defer { backend.inotify.active = tools }
            return body(&tools)
        }
    }
}
#endif
