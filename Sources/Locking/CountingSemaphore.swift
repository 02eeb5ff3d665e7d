internal import CLinux
internal import Glibc

/// A counting semaphore. A signal that precedes the wait is not lost.
package final class CountingSemaphore: @unchecked Sendable {
    // Safe to share: it is only passed to the sem_* functions, which any thread may call.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Releases one waiting thread, or the next one that waits.
    package func signal() { sem_post(semaphore) }

    /// Waits for a signal. Returns false if the deadline passes first.
    @discardableResult
    package func wait(until deadline: Instant) -> Bool { clinux_semaphore_wait(semaphore, deadline.nanoseconds) == 1 }

    /// Waits for a signal.
    package func wait() { _ = clinux_semaphore_wait(semaphore, -1) }
}
