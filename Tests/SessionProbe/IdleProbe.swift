import FileScripts
import Glibc
import SessionMirror

/// A small service that has nothing to do: it opened its settings, hears of one of them, and rests.
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
