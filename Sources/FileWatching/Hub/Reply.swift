internal import CLinux
internal import Glibc
internal import Locking
internal import Synchronization

/// A value that one thread waits for and another sends, once.
final class Reply<Value: Sendable>: Sendable {
    private let value = Lock<Value?>(nil)
    private let isSent = Atomic(false)
    // A semaphore is made for threads; it lives as long as this object, which both of them hold.
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func send(_ result: Value) {
        value.withLock { $0 = result }
        isSent.store(true, ordering: .releasing)
        sem_post(semaphore)
    }

    func wait() -> Value {
        if !comesSoon() { _ = clinux_park(semaphore, -1) }
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
