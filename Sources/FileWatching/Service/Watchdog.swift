internal import CLinux
internal import Glibc
internal import Synchronization

/// A timer that the leader arms before it runs deferred work and that the follower waits on.
final class Watchdog: Sendable {
    enum WaitResult {
        case fired
        case timedOut
        /// The timer cannot fire: other code of the process has closed its descriptor. The wait took a millisecond.
        case broken
    }

    private let number = Atomic(clinux_timer_open())
    private let isBroken = Atomic(false)

    deinit { if isUsable { close(descriptor) } }

    private var descriptor: Int32 { number.load(ordering: .relaxed) }

    private var isUsable: Bool { descriptor >= 0 && !isBroken.load(ordering: .relaxed) }

    /// Opens a new timer if there is no usable one, and returns whether there is one now. Must not be called while a
    /// thread waits.
    func reopenIfNeeded() -> Bool {
        if isUsable { return true }
        number.store(clinux_timer_open(), ordering: .relaxed)
        isBroken.store(false, ordering: .relaxed)
        return isUsable
    }

    func arm(after nanoseconds: Int64) { clinux_timer_set(descriptor, nanoseconds) }

    func disarm() { clinux_timer_set(descriptor, 0) }

    /// Waits until the timer fires. It may fire spuriously.
    func wait(atMost nanoseconds: Int64) -> WaitResult {
        guard isUsable else {
            _ = clinux_poll(nil, 0, 1_000_000)
            return .broken
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if clinux_poll(&request, 1, nanoseconds) <= 0 { return .timedOut }
        // The timer is read, not disarmed: it may have been armed again meanwhile, and then there is nothing to read.
        if request.revents == Int16(POLLIN), clinux_timer_clear(descriptor) == 0 { return .fired }
        isBroken.store(true, ordering: .relaxed)
        return .broken
    }
}
