import FileScripts
import Glibc
import SessionMirror

/// Says what becomes of one file, line by line, until its input ends.
enum ReportProbe {
    struct Settings: Codable, Sendable {
        var port = 8080
    }

    static func run(_ path: String) throws {
        let session = try Session(Settings(), at: path)
        say("port \(session.port)")
        let tokens = [
            session.observe(\.port) { say("port \($0.new)") },
            session.mirror.observe { report in
                switch report {
                case .problem(let problem): say("problem \(problem.code) \(problem.description)")
                case .recovered(let problem): say("recovered \(problem.code)")
                case .status: break
                }
            },
        ]
        withExtendedLifetime((session, tokens)) { waitForLine() }
    }
}
