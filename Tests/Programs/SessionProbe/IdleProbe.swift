import FileScripts
import Glibc
import SessionMirror

/// An idle service that has opened its settings and observes one of them.
enum IdleProbe {
    struct Settings: Codable, Sendable {
        var port = 8080
        var greeting = "hello"
    }

    static func run(_ path: String) throws {
        let session = try Session(Settings(), at: path)
        let token = session.observe(\.port) { say("port \($0.new)") }
        say("ready \(session.port)")
        withExtendedLifetime((session, token)) {
            while true { pause() }
        }
    }
}
