import FileScripts
import Glibc
import SessionMirror

/// Prints the port of a file at each change, and forks in every third callback, from which the child returns.
enum ForkProbe {
    static func run(_ path: String) throws {
        signal(SIGCHLD, SIG_IGN)
        let session = try Session(ReportProbe.Settings(), at: path)
        let token = session.observe(\.port) { change in
            // Ends the child with 0 if it exits normally: only whether it ends matters.
            if change.new % 3 == 0, forkAtRest() == 0 { atexit { _exit(0) } } else { say("port \(change.new)") }
        }
        say("port \(session.port)")
        withExtendedLifetime((session, token)) { waitForLine() }
    }
}
