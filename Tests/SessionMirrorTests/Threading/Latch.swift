import Locking
import Synchronization
import TestSupport

@testable import SessionMirror

/// Blocks threads of a test until it is opened.
final class Latch: Sendable {
    private let semaphore = CountingSemaphore()
    private let count = Atomic<Int>(0)
    private let arrived = Atomic(false)

    /// Whether a thread has arrived.
    var isWaitedFor: Bool { arrived.load(ordering: .acquiring) }

    /// The number of threads that have passed.
    var passed: Int { count.load(ordering: .acquiring) }

    /// Waits until it is opened, for at most a minute, so that a failing test leaves no thread behind.
    func pass() {
        arrived.store(true, ordering: .releasing)
        semaphore.wait(until: .now + .seconds(60))
        semaphore.signal()
        count.add(1, ordering: .acquiringAndReleasing)
    }

    func open() { semaphore.signal() }

    deinit { semaphore.signal() }
}
