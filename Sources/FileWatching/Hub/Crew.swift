internal import Locking

/// The threads that can be the hub's: one watches, and another may rest, ready to take its place.
///
/// A thread that learned of an edit is awake and has the edit's traces in its caches: to do what the edit asks for right
/// there takes less time than to wake another thread for it. So it lets the other one watch, does its errand, and rests
/// in turn. There is one thread unless errands were wanted in the last seconds, and two at most: one that does not come
/// back from its errand is not replaced.
final class Crew: Sendable {
    /// A loop that is on its way from one thread to another.
    private struct Handover: @unchecked Sendable { let loop: HubLoop }

    private struct State {
        var threads = 1
        /// How many rest and are not promised to anybody.
        var free = 0
        var handover: Handover?
    }

    private static let rest = Duration.seconds(5)

    private let state = Lock(State())
    private let relief = Parking()

    /// Watches on the calling thread, which ends with it.
    func watch(_ first: HubLoop) {
        var loop = first
        while let errand = loop.run() {
            handOver(loop)
            errand()
            guard let next = takeOver() else { return }
            loop = next
        }
    }

    /// Promises that another thread takes the place of the one that watches, if one rests.
    func claim() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    /// Begins a thread that rests, unless there are two.
    func reinforce() {
        let isWanted = state.withLock { state in
            guard state.threads < 2 else { return false }
            state.threads += 1
            return true
        }
        if !isWanted { return }
        let error = QuietThread.begin(named: Hub.threadName) {
            if let loop = self.takeOver() { self.watch(loop) }
        }
        if error != 0 { state.withLock { $0.threads -= 1 } }
    }

    private func handOver(_ loop: HubLoop) {
        let handover = Handover(loop: loop)
        state.withLock { $0.handover = handover }
        relief.wake()
    }

    /// Rests until a loop is handed over; nil when none was for a while.
    private func takeOver() -> HubLoop? {
        state.withLock { $0.free += 1 }
        while !relief.sleep(until: .now + Self.rest) {
            let ends = state.withLock { state in
                guard state.free > 0 else { return false }
                (state.free, state.threads) = (state.free - 1, state.threads - 1)
                return true
            }
            if ends { return nil }
        }
        return state.withLock { state in state.handover.take() }?.loop
    }
}
