import SessionMirror

/// One of several processes that increment a shared counter.
struct CountProbe {
    struct Counter: Codable, Sendable {
        var count = 0
    }

    let path: String

    func run(_ count: Int) throws {
        let session = try Session(Counter(), at: path)
        for _ in 0..<count { try session.commitBlocking { $0.count += 1 } }
        try session.close()
    }
}
