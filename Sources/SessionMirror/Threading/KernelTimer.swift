internal import CLinux
internal import Glibc
internal import Locking

/// A timer on which one worker sleeps, and which other threads set, so that it wakes at another moment without being
/// woken to learn of it.
///
/// Waking a thread on a sleeping processor takes longer than this system call. If other code of the process has closed
/// the descriptor, that is found out, and what has its number now is left alone, also if it is a timer.
final class KernelTimer: Sendable {
    /// Tells the timer from others.
    private let mark: Int64
    let descriptor: Int32

    init() {
        mark = 1 << 60 | Int64.random(in: 0..<(1 << 32))
        descriptor = clinux_timer_open_marked(mark)
    }

    deinit { if isIntact { close(descriptor) } }

    /// Whether the descriptor is still that of this timer.
    var isIntact: Bool { clinux_timer_has_mark(descriptor, mark) }

    /// Lets the sleeping worker wake at this moment, whatever was set before; at once if it is past. Returns false if the
    /// descriptor is lost.
    func set(to moment: Instant) -> Bool { clinux_timer_set_marked(descriptor, mark, max(1, moment.nanoseconds)) }

    /// Waits until the timer fires or the moment has come. Returns false if that is not possible.
    func wait(until moment: Instant) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = clinux_poll(&request, 1, max(0, moment.nanoseconds - Instant.now.nanoseconds))
        if count < 0 { return errno == EINTR }
        return count == 0 || (request.revents == Int16(POLLIN) && isIntact)
    }
}
