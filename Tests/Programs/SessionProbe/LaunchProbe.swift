import DurableFiles
import FileScripts
import Glibc
import SessionMirror

/// Starts child processes with exchanged descriptors, or while this process blocks and ignores signals.
enum LaunchProbe {
    static func run(_ mode: String) throws {
        switch mode {
        case "exchanged":
            wait(
                for: try ChildProcess.spawn(
                    "sh", ["-c", "echo out; echo error >&2"], standardOutput: 2, standardError: 1))
        case "ignoring":
            var signals = sigset_t()
            sigfillset(&signals)
            sigprocmask(SIG_BLOCK, &signals, nil)
            for number in [SIGHUP, SIGPIPE, SIGCHLD, SIGTERM] { signal(number, SIG_IGN) }
            for keepingIgnored in [[], [SIGHUP]] {
                try printSignals(of: try ChildProcess.spawn("sleep", ["1000"], keepingIgnored: keepingIgnored))
            }
        default: fail("unknown mode \(mode)")
        }
    }

    private static func printSignals(of process: Int32) throws {
        let text = String(
            decoding: try DurableFile("/proc/\(process)/status").read(limit: 1 << 16).bytes, as: UTF8.self)
        func mask(_ name: String) -> UInt64 {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return UInt64(line!.split(separator: "\t").last!, radix: 16)!
        }
        // `posix_spawn` leaves two signals of glibc ignored in a program until it creates threads.
        let isClean = mask("SigBlk:") == 0 && mask("SigIgn:") & ~(0b11 << 31) == 0
        say("clean \(isClean), ignores SIGHUP \(mask("SigIgn:") & 1 == 1)")
        kill(process, SIGKILL)
        wait(for: process)
    }

    private static func wait(for process: Int32) { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
}
