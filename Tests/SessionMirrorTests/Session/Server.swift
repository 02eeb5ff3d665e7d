import LosslessJSON

/// The value that most tests mirror.
struct Server: Codable, Equatable, Sendable {
    var port = 8080
    var greeting = "hello"
    var limits = Limits()

    struct Limits: Codable, Equatable, Sendable {
        var burst = 5
        var names = ["a", "b"]
    }
}
