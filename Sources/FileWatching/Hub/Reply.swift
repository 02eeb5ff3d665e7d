internal import CLinux
internal import Glibc
internal import Locking

/// A value that one thread waits for and another sends, once.
final class Reply<Value: Sendable>: Sendable {
    private let value = Lock<Value?>(nil)
    // A semaphore is made for threads; it lives as long as this object, which both of them hold.
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func send(_ result: Value) {
        value.withLock { $0 = result }
        sem_post(semaphore)
    }

    func wait() -> Value {
        _ = clinux_park(semaphore, -1)
        return value.withLock { $0! }
    }
}
