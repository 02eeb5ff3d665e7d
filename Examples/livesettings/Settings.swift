import LosslessJSON
import SessionMirror

/// The settings in the file. Absent keys have these defaults.
struct Settings: Codable, Equatable, Sendable {
    var port = 8080
    var greeting = "hello"
    var limits = Limits()
    /// The number of clients served so far. The service counts them.
    var served = 0

    struct Limits: Codable, Equatable, Sendable {
        var burst = 100
        var timeout = 2.5
    }

    /// Validates constraints beyond types.
    func check() throws(ValidationError) {
        if !(1024...65535).contains(port) { throw ValidationError("must be between 1024 and 65535", at: "port") }
        if limits.timeout <= 0 { throw ValidationError("must be more than 0", at: "limits.timeout") }
    }
}

extension Settings {
    /// A description for the output.
    var summary: String { "\"\(greeting)\" on port \(port), \(limits)" }
}

extension Settings.Limits: CustomStringConvertible {
    var description: String { "\(burst) requests at once, \(timeout) s each" }
}
