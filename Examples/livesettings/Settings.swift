import LosslessJSON
import SessionMirror

/// What people may set in the file. What they leave out is as it stands here.
struct Settings: Codable, Equatable, Sendable {
    var port = 8080
    var greeting = "hello"
    var limits = Limits()
    /// How many clients were served, ever: the service counts, people may look.
    var served = 0

    struct Limits: Codable, Equatable, Sendable {
        var burst = 100
        var timeout = 2.5
    }

    /// What types alone do not say.
    func check() throws(Refusal) {
        if !(1024...65535).contains(port) { throw Refusal("must be between 1024 and 65535", at: "port") }
        if limits.timeout <= 0 { throw Refusal("must be more than 0", at: "limits.timeout") }
    }
}

extension Settings {
    /// What a service would do with them.
    var summary: String { "\"\(greeting)\" on port \(port), \(limits)" }
}

extension Settings.Limits: CustomStringConvertible {
    var description: String { "\(burst) requests at once, \(timeout) s each" }
}
