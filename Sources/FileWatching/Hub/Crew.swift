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
    /// A loop, and what to do when another thread takes it over. It belongs to whoever takes it.
    private struct Offer: @unchecked Sendable {
        let loop: HubLoop
        let ifLong: () -> Void
    }

    /// How long nobody watches, in nanoseconds.
    private static let longestErrand: Int64 = 250_000
    /// How long a thread rests for nothing, in nanoseconds.
    private static let longestRest: Int64 = 5_000_000_000

    private let relief = Lock(Relief<Offer>())
    private let alarm = Alarm()
    private let process = getpid()

    /// Watches on the calling thread, which ends with it.
    func watch(_ first: HubLoop) {
        var loop = first
        while let errand = loop.run() {
            let offer = Offer(loop: loop, ifLong: errand.ifLong)
            relief.withLock { $0.left(offer) }
            alarm.set(in: Self.longestErrand)
            errand.body()
            // A child that was forked on the errand has no right to what follows.
            if getpid() != process { return }
            if relief.withLock({ $0.cameBack() }) {
                alarm.turnOff()
                continue
            }
            guard let next = rest() else { return }
            loop = next
        }
    }

    /// Promises that another thread watches if the one that watches now is away for long. False if there is none.
    func promise() -> Bool { relief.withLock { $0.promised() } }

    /// Begins a thread that rests, unless there are two.
    func reinforce() {
        guard alarm.isInOrder, relief.withLock({ $0.reinforced() }) else { return }
        let error = QuietThread.begin(named: Hub.threadName) {
            if let loop = self.rest() { self.watch(loop) }
        }
        if error != 0 { relief.withLock { $0.notReinforced() } }
    }

    /// Rests until the thread that watches has been away for long; nil when nobody has left for seconds.
    private func rest() -> HubLoop? {
        relief.withLock { $0.rested() }
        while true {
            let outcome = alarm.wait(atMost: Self.longestRest)
            let rest = relief.withLock { relief in
                switch outcome {
                case .rang: relief.called()
                case .silent: relief.restedLong()
                case .broken: relief.lookedWithoutAlarm()
                }
            }
            switch rest {
            case .goesOn: continue
            case .ends: return nil
            case .takesOver(let offer):
                offer.ifLong()
                return offer.loop
            }
        }
    }
}
