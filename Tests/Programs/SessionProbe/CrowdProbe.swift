import FileScripts
import Glibc
import SessionMirror

/// Opens a session of each file, each with a subscriber, and prints every change. Answers `loads` on its input with the
/// number of loads of all sessions.
///
/// Prints `begin` before and `opened` after opening the sessions, then waits for a line, so that a test can measure the
/// process.
enum CrowdProbe {
    static func run(_ paths: [String]) throws {
        // Takes the memory that only the first session costs.
        let first = try Session(Crowd.Tenant(), at: paths[0])
        say("begin")
        waitForLine()
        var sessions: [Session<Crowd.Tenant>] = []
        var tokens: [Subscription] = []
        for (index, path) in paths.enumerated() {
            let session = try Session(Crowd.Tenant(), at: path)
            guard session.number == index else { fail("\(path) holds \(session.number), not \(index)") }
            sessions.append(session)
            tokens.append(session.observe(\.number) { say("\(index): \($0.old) -> \($0.new)") })
        }
        say("opened")
        while let line = readLine() {
            if line == "loads" { say("loads \(sessions.reduce(0) { $0 + $1.mirror.metrics.loads })") }
        }
        withExtendedLifetime((first, sessions, tokens)) {}
    }
}
