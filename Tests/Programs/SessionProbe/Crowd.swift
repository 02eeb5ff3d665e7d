/// The files of many sessions.
enum Crowd {
    /// The content of each file.
    struct Tenant: Codable, Sendable {
        var number = 0
        var name = ""
        var limits = Limits()

        struct Limits: Codable, Sendable {
            var requests = 100
            var burst = 10
        }
    }
}
