internal import CLinux
internal import Glibc
internal import Locking

/// Where threads sleep until others wake them. A wake-up that comes before the sleep is not lost.
final class Parking: @unchecked Sendable {
    // Only ever given to the functions of semaphores, which any thread may call.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one thread go on: one that sleeps, or the next that wants to.
    func wake() { sem_post(semaphore) }

    /// Sleeps until woken; false when the moment came before.
    @discardableResult
    func sleep(until moment: Moment) -> Bool { clinux_park(semaphore, moment.nanoseconds) == 1 }
}
