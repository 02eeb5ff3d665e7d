internal import CLinux
internal import Glibc

/// Where threads sleep until others wake them. A wake-up that comes before the sleep is not lost.
package final class Parking: @unchecked Sendable {
    // Only ever given to the functions of semaphores, which any thread may call.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one thread go on: one that sleeps, or the next that wants to.
    package func wake() { sem_post(semaphore) }

    /// Sleeps until woken; false when the moment came before.
    @discardableResult
    package func sleep(until moment: Moment) -> Bool { clinux_park(semaphore, moment.nanoseconds) == 1 }

    /// Sleeps until woken.
    package func sleep() { _ = clinux_park(semaphore, -1) }
}
