import FileScripts
import Glibc
import SessionMirror

/// Prints the port of a file at each change, and all problems and recoveries, until its input ends.
enum ReportProbe {
    struct Settings: Codable, Sendable {
        var port = 8080
    }

    static func run(_ path: String) throws {
        let session = try Session(Settings(), at: path)
        // Subscribes first, because a test may change the file as soon as it has read the first line.
        let port = session.observe(\.port) { say("port \($0.new)") }
        say("port \(session.port)")
        let reports = session.mirror.observe { report in
            switch report {
            case .problem(let problem): say("problem \(problem.code) \(problem.description)")
            case .recovered(let problem): say("recovered \(problem.code)")
            case .status: break
            }
        }
        withExtendedLifetime((session, port, reports)) { waitForLine() }
    }
}
