import FileScripts
import Glibc
import SessionMirror

/// Opens a session of each file, each with a subscriber, and tells of every change; `looks` on its input asks how often
/// all of them together have looked at their files.
///
/// Says `begin` before and `opened` after, when a line is awaited and whoever started it can look at the process.
enum CrowdProbe {
    static func run(_ paths: [String]) throws {
        // What the first session costs and no other.
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
            if line == "looks" { say("looks \(sessions.reduce(0) { $0 + $1.mirror.metrics.looks })") }
        }
        withExtendedLifetime((first, sessions, tokens)) {}
    }
}
