import FileScripts
import Glibc
import SessionMirror

/// Says the port of a file at each change, and forks in every third of these calls: the child returns from it.
enum ForkProbe {
    static func run(_ path: String) throws {
        signal(SIGCHLD, SIG_IGN)
        let session = try Session(ReportProbe.Settings(), at: path)
        let token = session.observe(\.port) { change in
            // Where the child ends, nothing but its end is of interest.
            if change.new % 3 == 0, forkAtRest() == 0 { atexit { _exit(0) } } else { say("port \(change.new)") }
        }
        say("port \(session.port)")
        withExtendedLifetime((session, token)) { waitForLine() }
    }
}
