import Glibc
import Synchronization
import TestSupport

/// So many steps are to be done, by several threads together; others go on until all of them are.
final class Countdown: Sendable {
    /// How many there are in all.
    let count: Int
    private let left: Atomic<Int>

    /// `count` steps, or more by the factor that SESSIONMIRROR_TORTURE says.
    init(_ count: Int) {
        let factor = getenv("SESSIONMIRROR_TORTURE").flatMap { Int(String(cString: $0)) } ?? 1
        self.count = count * factor
        left = Atomic(self.count)
    }

    var isOver: Bool { left.load(ordering: .relaxed) <= 0 }

    /// Does `step` until there are no more to do; it is given a number that nobody else is given.
    func work(_ step: (Int) throws -> Void) rethrows {
        while case let left = left.subtract(1, ordering: .relaxed).newValue, left >= 0 { try step(left) }
    }

    /// Does `step` for as long as others work.
    func accompany(_ step: () throws -> Void) rethrows {
        while !isOver { try step() }
    }
}

/// Does each job on a thread of its own, all at the same time.
func together(_ jobs: (@Sendable () -> Void)...) {
    onThreads(jobs.count) { jobs[$0]() }
}
