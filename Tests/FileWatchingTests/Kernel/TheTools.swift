#if InotifyTools
@testable import FileWatching

/// The one instance of libinotifytools in this process, which the hub of all watches holds.
enum TheTools {
    /// What `body` gives, on the hub's thread.
    static func change<Answer: Sendable>(_ body: @escaping @Sendable (inout InotifyTools) -> Answer) -> Answer {
        Hub.shared.ask { loop in
            let backend = loop.backend as! InotifyBackend<SystemInotify>
            var tools = backend.kernel.chosen as! InotifyTools
            defer { backend.kernel.chosen = tools }
            return body(&tools)
        }
    }
}
#endif
