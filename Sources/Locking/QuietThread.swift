internal import CLinux
internal import Glibc

/// A thread that no signal handler of the program ever runs on.
package enum QuietThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// Begins one, which ends with `body`. Its name stands in /proc and in debuggers, at most 15 bytes of it.
    ///
    /// Returns 0, or the number of the error.
    package static func begin(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        let given = Unmanaged.passRetained(Body(name, body))
        // The new thread inherits the mask, so that no signal comes between.
        let before = blockSignals()
        defer { restore(before) }
        var thread = pthread_t()
        let error = pthread_create(&thread, nil, main, given.toOpaque())
        if error == 0 { pthread_detach(thread) } else { given.release() }
        return error
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { given in
        // It was retained for this thread.
        let body = Unmanaged<Body>.fromOpaque(given!).takeRetainedValue()
        clinux_name_this_thread(body.name)
        body.run()
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
