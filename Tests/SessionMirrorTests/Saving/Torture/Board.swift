import DurableFiles
import SessionMirror

/// What the sessions of one file keep in which everything is tried at once.
struct Board: Codable, Equatable, Sendable {
    /// Each session counts at its own key.
    var counts: [String: Int] = [:]
    /// All of them count here.
    var shared = 0
    /// What was written last of all.
    var last = 0

    static var options: SessionOptions {
        var options = SessionOptions()
        (options.savingDelay, options.savingLimit) = (.milliseconds(2), .milliseconds(20))
        (options.settlingTime, options.settlingLimit) = (.milliseconds(5), .milliseconds(50))
        options.restoringTime = .milliseconds(50)
        options.replacing.durability = .fast
        return options
    }
}

/// When the torture is over.
struct Curfew: Sendable {
    private let end: ContinuousClock.Instant

    /// Two seconds; 60 by the factor of 100 that `make torture-sessions` takes.
    init() { end = .now + max(.seconds(2), .milliseconds(600) * Countdown(1).count) }

    var isOver: Bool { ContinuousClock.now >= end }
}
