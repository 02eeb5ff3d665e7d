import DurableFiles
import SessionMirror

/// The root of the shared file.
struct SharedRoot: Codable, Equatable, Sendable {
    /// Each session increments its own key.
    var counts: [String: Int] = [:]
    /// Incremented by all sessions.
    var shared = 0
    /// Written by the last external edit.
    var last = 0

    static var options: SessionOptions {
        var options = SessionOptions()
        (options.savingDelay, options.savingLimit) = (.milliseconds(2), .milliseconds(20))
        (options.settlingTime, options.settlingLimit) = (.milliseconds(5), .milliseconds(50))
        options.staleWriteWindow = .milliseconds(50)
        options.replacing.durability = .fast
        return options
    }
}

/// The time at which a test ends.
struct EndOfTest: Sendable {
    private let end: ContinuousClock.Instant

    /// Ends the test after two seconds, or later with the factor of `make torture-sessions`: 60 s at a factor of 100.
    init() { end = .now + max(.seconds(2), .milliseconds(600) * Countdown(1).count) }

    var isOver: Bool { ContinuousClock.now >= end }
}
