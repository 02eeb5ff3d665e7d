internal import CLinux
internal import Glibc
internal import Locking
internal import Synchronization

/// Fires when the leader has been absent for too long.
///
/// Edits come in bursts, and setting a timer for each of them costs a system call, which is a fifth of what a small edit
/// takes on some virtual machines. So the leader only notes when it leaves, and the timer keeps ticking for some
/// milliseconds: the waiting follower checks each time how long the leader has been absent.
///
/// A leader whose last absences were all within the limit may be absent longer. The timer then ticks less often, and
/// setting it costs little on an idle processor if the kernel's own next interrupt comes before it.
final class Watchdog: Sendable {
    enum WaitResult {
        case fired
        case timedOut
        /// The timer cannot fire: other code of the process has closed its descriptor. The wait took a millisecond.
        case broken
    }

    /// The longest absence, and that of a leader whose last absences were all within the first limit, in nanoseconds.
    private let (limit, extendedLimit): (Int64, Int64)
    /// The number of absences within the limit since the last one that was longer, up to the one that matters.
    private let shortAbsences = Atomic(0)
    private let number = Atomic(clinux_timer_open())
    private let isBroken = Atomic(false)
    /// Whether the timer is set, or the follower is about to decide that.
    private let isTicking = Atomic(false)
    /// When the leader left, in nanoseconds; 0 after it has returned. A leader that was replaced does not return, and then
    /// the timer does not tick before the next one leaves.
    private let departure = Atomic(Int64(0))
    private let lastDeparture = Atomic(Int64(0))

    /// How long the timer keeps ticking after the leader left for the last time, in nanoseconds.
    private static let tickingTime: Int64 = 5_000_000

    /// How many absences in a row must have been within the limit for the extended one.
    private static let fewestShortAbsences = 8

    init(limit: Int64, extendedLimit: Int64) { (self.limit, self.extendedLimit) = (limit, extendedLimit) }

    deinit { if isUsable { close(descriptor) } }

    private var descriptor: Int32 { number.load(ordering: .relaxed) }

    private var isUsable: Bool { descriptor >= 0 && !isBroken.load(ordering: .relaxed) }

    /// Opens a new timer if there is no usable one, and returns whether there is one now. Must not be called while a
    /// thread waits.
    func reopenIfNeeded() -> Bool {
        if isUsable { return true }
        number.store(clinux_timer_open(), ordering: .relaxed)
        isTicking.store(false, ordering: .relaxed)
        isBroken.store(false, ordering: .relaxed)
        return isUsable
    }

    func leaderLeft() {
        let now = Instant.now.nanoseconds
        lastDeparture.store(now, ordering: .relaxed)
        departure.store(now, ordering: .sequentiallyConsistent)
        startTicking()
    }

    func leaderReturned() {
        let absence = Instant.now.nanoseconds - lastDeparture.load(ordering: .relaxed)
        let count = shortAbsences.load(ordering: .relaxed)
        shortAbsences.store(absence < limit ? min(count + 1, Self.fewestShortAbsences) : 0, ordering: .relaxed)
        departure.store(0, ordering: .relaxed)
    }

    private var currentLimit: Int64 {
        shortAbsences.load(ordering: .relaxed) < Self.fewestShortAbsences ? limit : extendedLimit
    }

    /// Sets the timer unless it is set.
    private func startTicking() {
        if isTicking.exchange(true, ordering: .sequentiallyConsistent) { return }
        clinux_timer_set(descriptor, currentLimit)
    }

    /// Waits until the leader has been absent for too long. It may fire for an absence that has just ended, or begun.
    func wait(atMost nanoseconds: Int64) -> WaitResult {
        while true {
            guard isUsable else {
                _ = clinux_poll(nil, 0, 1_000_000)
                return .broken
            }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if clinux_poll(&request, 1, nanoseconds) <= 0 { return .timedOut }
            guard request.revents == Int16(POLLIN), clinux_timer_clear(descriptor) == 0 else {
                isBroken.store(true, ordering: .relaxed)
                return .broken
            }
            if tick() { return .fired }
        }
    }

    /// Sets the timer for the next tick, if there is one. Returns whether the leader has been absent for too long.
    private func tick() -> Bool {
        let now = Instant.now.nanoseconds
        let left = departure.load(ordering: .sequentiallyConsistent)
        let limit = currentLimit
        if left != 0, now - left < limit {
            clinux_timer_set(descriptor, limit - (now - left))
        } else if left == 0, now - lastDeparture.load(ordering: .relaxed) < Self.tickingTime {
            clinux_timer_set(descriptor, limit)
        } else {
            isTicking.store(false, ordering: .sequentiallyConsistent)
            if left != 0 {
                shortAbsences.store(0, ordering: .relaxed)
                return true
            }
            // The leader may have left meanwhile, and have seen a timer that ticks.
            if departure.load(ordering: .sequentiallyConsistent) != 0 { startTicking() }
        }
        return false
    }
}
