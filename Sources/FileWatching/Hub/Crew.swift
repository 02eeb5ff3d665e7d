internal import CLinux
internal import Glibc
internal import Locking

/// The threads that can be the hub's: one watches, and another may rest, ready to take its place.
///
/// A thread that learned of an edit is awake and has the edit's traces in its caches: to do what the edit asks for right
/// there takes less time than to wake another thread for it. Nobody watches meanwhile; but if the errand takes long, the
/// thread that rests is woken by an alarm and watches from then on.
///
/// There is one thread unless errands were wanted in the last seconds, and two at most: one that does not come back from
/// its errand is not replaced.
final class Crew: Sendable {
    /// A loop that nobody runs, and what to do when somebody else takes it over. It belongs to whoever takes it.
    private struct Offer: @unchecked Sendable {
        let loop: HubLoop
        let ifLong: () -> Void
    }

    private struct State {
        var threads = 1
        var isSomebodyResting = false
        /// Whether who rests must stay.
        var isPromised = false
        var offer: Offer?
    }

    /// How long nobody watches, in nanoseconds.
    private static let longestErrand: Int64 = 250_000
    /// How long a thread rests for nothing, in nanoseconds.
    private static let longestRest: Int64 = 5_000_000_000

    private let state = Lock(State())
    private let alarm = Alarm()

    /// Watches on the calling thread, which ends with it.
    func watch(_ first: HubLoop) {
        var loop = first
        while let errand = loop.run() {
            offer(loop, errand.ifLong)
            errand.body()
            if hasTakenBack() { continue }
            guard let next = takeOver() else { return }
            loop = next
        }
    }

    /// Promises that another thread watches if the one that watches now is away for long. False if there is none.
    func promise() -> Bool {
        state.withLock { state in
            state.isPromised = state.isSomebodyResting
            return state.isPromised
        }
    }

    /// Begins a thread that rests, unless there are two.
    func reinforce() {
        let isWanted = state.withLock { state in
            guard state.threads < 2, alarm.works else { return false }
            state.threads += 1
            return true
        }
        if !isWanted { return }
        let error = QuietThread.begin(named: Hub.threadName) {
            if let loop = self.takeOver() { self.watch(loop) }
        }
        if error != 0 { state.withLock { $0.threads -= 1 } }
    }

    private func offer(_ loop: HubLoop, _ ifLong: @escaping () -> Void) {
        let offer = Offer(loop: loop, ifLong: ifLong)
        state.withLock { $0.offer = offer }
        alarm.set(in: Self.longestErrand)
    }

    private func hasTakenBack() -> Bool {
        let isOurs = state.withLock { state in
            guard state.offer.take() != nil else { return false }
            state.isPromised = false
            return true
        }
        if isOurs { alarm.turnOff() }
        return isOurs
    }

    /// Rests until a loop has been on offer for long; nil when none was for seconds.
    private func takeOver() -> HubLoop? {
        state.withLock { $0.isSomebodyResting = true }
        while true {
            let hasRung = alarm.waitUntilItRings(atMost: Self.longestRest)
            let (offer, ends) = state.withLock { state -> (Offer?, Bool) in
                let offer = hasRung ? state.offer.take() : nil
                let ends = !hasRung && !state.isPromised
                if offer != nil || ends { (state.isSomebodyResting, state.isPromised) = (false, false) }
                if ends { state.threads -= 1 }
                return (offer, ends)
            }
            if ends { return nil }
            guard let offer else { continue }
            offer.ifLong()
            return offer.loop
        }
    }
}

/// Wakes one thread at a time that another one has set.
private final class Alarm: Sendable {
    private let descriptor = clinux_alarm_open()

    deinit { if works { close(descriptor) } }

    /// Whether the system had one to give.
    var works: Bool { descriptor >= 0 }

    func set(in nanoseconds: Int64) { clinux_alarm_set(descriptor, nanoseconds) }

    func turnOff() { clinux_alarm_set(descriptor, 0) }

    /// Whether it rang.
    func waitUntilItRings(atMost nanoseconds: Int64) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard clinux_poll(&request, 1, nanoseconds) > 0 else { return false }
        // Not turned off: it may have been set again meanwhile.
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        return true
    }
}
