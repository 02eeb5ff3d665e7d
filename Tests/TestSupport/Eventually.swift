import Glibc
package import Testing

/// Waits until `condition` holds, and fails the test in these words where it does not within the limit.
///
/// ```swift
/// eventually("the new port arrives") { session.port == 9090 }
/// ```
///
/// This form keeps its thread; in an `async` test the other one is taken.
@discardableResult
@_disfavoredOverload
package func eventually(
    _ what: String, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) rethrows -> Bool {
    var waiting = Waiting(limit: limit)
    while try !condition() {
        guard let pause = waiting.nextPause() else { return waiting.fail(what, sourceLocation) }
        usleep(pause)
    }
    return true
}

/// Waits until `condition` holds, and fails the test in these words where it does not within the limit.
@discardableResult
package func eventually(
    _ what: String, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    var waiting = Waiting(limit: limit)
    while try await !condition() {
        guard let pause = waiting.nextPause() else { return waiting.fail(what, sourceLocation) }
        try? await Task.sleep(for: .microseconds(pause))
    }
    return true
}

/// Short pauses at first, then longer ones, until the limit.
///
/// Time alone decides nothing: on a machine that is busy enough a single pause can outlast any limit, so a condition is
/// looked at some more times before it is given up.
private struct Waiting {
    let limit: Duration
    private let deadline: ContinuousClock.Instant
    private var pause: UInt32 = 100
    private var pauseCount = 0

    private static let fewestPauses = 20

    init(limit: Duration) {
        self.limit = limit
        deadline = .now + limit
    }

    /// In microseconds; nil when there is no time left.
    mutating func nextPause() -> UInt32? {
        guard ContinuousClock.now < deadline || pauseCount < Self.fewestPauses else { return nil }
        pauseCount += 1
        pause = min(pause * 2, 10_000)
        return pause
    }

    func fail(_ what: String, _ sourceLocation: SourceLocation) -> Bool {
        Issue.record("\(what): not within \(limit)", sourceLocation: sourceLocation)
        return false
    }
}
