import Locking
import Synchronization
import TestSupport

@testable import SessionMirror

/// Where jobs of tests stay until it is opened, once and for all.
final class Turnstile: Sendable {
    private let parking = Parking()
    private let count = Atomic<Int>(0)
    private let arrived = Atomic(false)

    /// Whether somebody has come.
    var isWaitedFor: Bool { arrived.load(ordering: .acquiring) }

    /// How many have passed.
    var passed: Int { count.load(ordering: .acquiring) }

    /// Waits for the opening, a minute at most, so that a test that fails leaves nobody behind.
    func pass() {
        arrived.store(true, ordering: .releasing)
        parking.sleep(until: .now + .seconds(60))
        parking.wake()
        count.add(1, ordering: .acquiringAndReleasing)
    }

    func open() { parking.wake() }

    deinit { parking.wake() }
}
