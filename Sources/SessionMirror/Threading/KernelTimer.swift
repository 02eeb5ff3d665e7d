internal import CLinux
internal import Glibc
internal import Locking

/// A timer on which one worker sleeps, and which other threads set to an earlier moment without waking that worker.
///
/// Waking a thread on an idle processor takes several times as long as this system call. If other code of the process
/// has closed the descriptor, that is found out, and what has its number now is left alone.
final class KernelTimer: Sendable {
    let descriptor = clinux_timer_open()

    deinit { if isIntact { close(descriptor) } }

    /// Whether the descriptor is that of a timer.
    var isIntact: Bool { descriptor >= 0 && clinux_timer_is_intact(descriptor) }

    /// Wakes the waiting worker at this moment instead of an earlier set one; at once if that is past. Returns false if
    /// the descriptor is lost.
    func set(to moment: Instant) -> Bool { clinux_timer_set_at(descriptor, max(1, moment.nanoseconds)) }

    /// Waits until the timer fires or the moment has come. Returns false if the descriptor is lost.
    func wait(until moment: Instant) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = clinux_poll(&request, 1, max(0, moment.nanoseconds - Instant.now.nanoseconds))
        return count <= 0 || (request.revents == Int16(POLLIN) && isIntact)
    }
}
