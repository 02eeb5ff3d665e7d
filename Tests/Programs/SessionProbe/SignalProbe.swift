import FileScripts
import Glibc
import SessionMirror
import Synchronization

/// Starts other programs in a callback, or crashes there.
///
/// `action` is `spawn`, `launch`, `write`, `trap`, `abort` or `nothing`. With `handled` the program installs a handler
/// for crashes, which prints whether it runs on the thread that crashed.
enum SignalProbe {
    static func run(_ path: String, _ action: String, isHandled: Bool) throws {
        if isHandled { Crashes.handle() }
        let session = try Session(ReportProbe.Settings(), at: path)
        let token = session.observe(\.port) { change in
            Crashes.thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
            perform(action)
            say("port \(change.new)")
        }
        say("ready")
        withExtendedLifetime((session, token)) { waitForLine() }
    }

    private static func perform(_ action: String) {
        switch action {
        case "spawn": spawn()
        case "launch": launch()
        case "write": UnsafeMutablePointer<Int>(bitPattern: Int(getpid()) & 8 | 8)!.pointee = 1
        case "trap": fatalError("on purpose")
        case "abort": abort()
        default: break
        }
    }

    /// Starts a program like code that does not use the library.
    private static func spawn() {
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "sleep", nil, nil, words, environ) == 0 else { fail("sleep cannot be started") }
        say("child \(process)")
    }

    private static func launch() {
        guard let process = try? ChildProcess.spawn("sleep", ["1000"]) else { fail("sleep cannot be started") }
        say("child \(process)")
        var status: Int32 = 0
        waitpid(process, &status, 0)
        say("ended by \(status & 0x7F)")
    }
}

/// The program's own handler for crashes.
private enum Crashes {
    /// The thread that runs the callback.
    static let thread = Atomic<UInt>(0)

    static func handle() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let isSame = Crashes.thread.load(ordering: .sequentiallyConsistent) == UInt(pthread_self())
                _ = Glibc.write(1, isSame ? "handled\n" : "astray!\n", 8)
                _exit(7)
            }
            sigaction(number, &action, nil)
        }
    }
}
