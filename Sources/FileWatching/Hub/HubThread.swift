internal import CLinux
internal import Glibc

/// A thread that no signal handler of the program ever runs on.
enum HubThread {
    /// How it stands in /proc and in debuggers.
    static let name = "FileWatching"

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Returns 0, or the number of the error.
    static func begin(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let given = Unmanaged.passRetained(Body(body))
        // The new thread inherits the mask, so that no signal comes between.
        let before = blockSignals()
        defer { restore(before) }
        var thread = pthread_t()
        let error = pthread_create(&thread, nil, main, given.toOpaque())
        if error == 0 { pthread_detach(thread) } else { given.release() }
        return error
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { given in
        clinux_name_this_thread(name)
        Unmanaged<Body>.fromOpaque(given!).takeRetainedValue().run()
        return nil
    }

    private static func blockSignals() -> sigset_t {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        return before
    }

    private static func restore(_ mask: sigset_t) {
        var mask = mask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
