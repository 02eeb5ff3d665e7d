import Glibc
package import Testing

/// Waits until `condition` is true. Records a test failure with the description after the time limit.
///
/// ```swift
/// eventually("the new port arrives") { session.port == 9090 }
/// ```
///
/// Blocks its thread; `async` tests use the overload below.
@discardableResult
@_disfavoredOverload
package func eventually(
    _ what: String, within limit: Duration = .patience, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) rethrows -> Bool {
    var waiting = PollingBackoff(limit: limit)
    while try !condition() {
        guard let pause = waiting.nextPause() else { return waiting.fail(what, sourceLocation) }
        usleep(pause)
    }
    return true
}

/// Waits until `condition` is true. Records a test failure with the description after the time limit.
@discardableResult
package func eventually(
    _ what: String, within limit: Duration = .patience, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    var waiting = PollingBackoff(limit: limit)
    while try await !condition() {
        guard let pause = waiting.nextPause() else { return waiting.fail(what, sourceLocation) }
        try? await Task.sleep(for: .microseconds(pause))
    }
    return true
}

extension Duration {
    /// How long a test waits for what must happen: beyond any delay on a machine whose processors and disk are busy with
    /// other tests, since only a failure takes that long.
    package static let patience = Duration.seconds(120)
}

/// Pauses that double from 0.2 ms to 10 ms, until the limit.
///
/// On a busy machine a single pause can outlast any limit, so the condition is checked a minimum number of times.
private struct PollingBackoff {
    let limit: Duration
    private let deadline: ContinuousClock.Instant
    private var pause: UInt32 = 100
    private var pauseCount = 0

    private static let minimumPauses = 20

    init(limit: Duration) {
        self.limit = limit
        deadline = .now + limit
    }

    /// The next pause in microseconds; nil after the limit.
    mutating func nextPause() -> UInt32? {
        guard ContinuousClock.now < deadline || pauseCount < Self.minimumPauses else { return nil }
        pauseCount += 1
        pause = min(pause * 2, 10_000)
        return pause
    }

    func fail(_ what: String, _ sourceLocation: SourceLocation) -> Bool {
        Issue.record("\(what): not within \(limit)", sourceLocation: sourceLocation)
        return false
    }
}
