import LosslessJSON

/// The root of most tests.
struct Server: Codable, Equatable, Sendable {
    var port = 8080
    var greeting = "hello"
    var limits = Limits()

    struct Limits: Codable, Equatable, Sendable {
        var burst = 5
        var names = ["a", "b"]
    }
}
