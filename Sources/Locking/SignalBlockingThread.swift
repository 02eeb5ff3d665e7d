internal import CLinux
internal import Glibc

/// A detached thread that blocks all signals except those of faults.
///
/// Signals for the process are therefore delivered to threads of the program, and a profiler that uses SIGPROF does not
/// interrupt system calls on this thread. Signals of faults, which a thread causes itself, reach the program's crash
/// handler or end in a core dump.
///
/// Programs that are started on such a thread inherit its signal mask.
package enum SignalBlockingThread {
    /// The signals of faults.
    package static let faultSignals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

    /// The smallest stack size, in bytes. It suffices for values of the greatest depth, which take one call per level;
    /// the default size, which the program or `ulimit -s` sets, may be a fraction of it.
    private static let stackSize = 8 << 20

    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// Starts a thread that runs `body`. Returns 0, or the error number.
    ///
    /// - Parameter name: The name in /proc and in debuggers, of which the kernel keeps 15 bytes.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        let given = Unmanaged.passRetained(Body(name, body))
        // The new thread inherits the mask, so no signal reaches it before it could block them.
        let before = blockSignals()
        defer { restore(before) }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var size = 0
        pthread_attr_getstacksize(&attributes, &size)
        pthread_attr_setstacksize(&attributes, max(size, stackSize))
        var thread = pthread_t()
        let error = pthread_create(&thread, &attributes, main, given.toOpaque())
        if error == 0 { pthread_detach(thread) } else { given.release() }
        return error
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { given in
        // `start` has retained it for this thread.
        let body = Unmanaged<Body>.fromOpaque(given!).takeRetainedValue()
        clinux_name_this_thread(body.name)
        body.run()
        return nil
    }

    private static func blockSignals() -> sigset_t {
        var (blocked, before) = (sigset_t(), sigset_t())
        sigfillset(&blocked)
        for number in faultSignals { sigdelset(&blocked, number) }
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        return before
    }

    private static func restore(_ mask: sigset_t) {
        var mask = mask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
