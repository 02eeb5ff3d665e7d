import Synchronization
import TestSupport

/// A number of steps shared by several threads; other threads run until all steps are done.
final class Countdown: Sendable {
    /// The total number.
    let count: Int
    private let left: Atomic<Int>

    /// Creates a countdown of `count` steps, multiplied by SESSIONMIRROR_TORTURE.
    init(_ count: Int) {
        let factor = environmentNumber("SESSIONMIRROR_TORTURE") ?? 1
        self.count = count * factor
        left = Atomic(self.count)
    }

    var isOver: Bool { left.load(ordering: .relaxed) <= 0 }

    /// Runs `step` until no steps are left, with a number that is unique among threads.
    func work(_ step: (Int) throws -> Void) rethrows {
        while case let left = left.subtract(1, ordering: .relaxed).newValue, left >= 0 { try step(left) }
    }

    /// Runs `step` while other threads have steps left.
    func accompany(_ step: () throws -> Void) rethrows {
        while !isOver { try step() }
    }
}

/// Runs each job on a thread of its own, concurrently.
func concurrently(_ jobs: (@Sendable () -> Void)...) {
    onThreads(jobs.count) { jobs[$0]() }
}
