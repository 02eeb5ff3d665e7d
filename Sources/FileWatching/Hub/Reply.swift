internal import Glibc
internal import Locking
internal import Synchronization

/// A value that one thread waits for and another sends, once.
final class Reply<Value: Sendable>: Sendable {
    private let value = Lock<Value?>(nil)
    private let isSent = Atomic(false)
    private let parking = Parking()

    func send(_ result: Value) {
        value.withLock { $0 = result }
        isSent.store(true, ordering: .releasing)
        parking.wake()
    }

    func wait() -> Value {
        if !comesSoon() { parking.sleep() }
        return value.withLock { $0! }
    }

    /// Most replies take less time than falling asleep and being woken.
    private func comesSoon() -> Bool {
        for _ in 0..<50 {
            if isSent.load(ordering: .acquiring) { return true }
            sched_yield()
        }
        return false
    }
}
