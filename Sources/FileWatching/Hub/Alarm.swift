internal import CLinux
internal import Glibc
internal import Synchronization

/// A timer that one thread sets and another sleeps on.
final class Alarm: Sendable {
    enum Outcome {
        case rang
        case silent
        /// It will never ring: somebody has closed what was not theirs. A millisecond has passed.
        case broken
    }

    private let descriptor = clinux_alarm_open()
    private let isBroken = Atomic(false)

    deinit { if isInOrder { close(descriptor) } }

    var isInOrder: Bool { descriptor >= 0 && !isBroken.load(ordering: .relaxed) }

    func set(in nanoseconds: Int64) { clinux_alarm_set(descriptor, nanoseconds) }

    func turnOff() { clinux_alarm_set(descriptor, 0) }

    /// Waits until it rings. It may ring for nothing.
    func wait(atMost nanoseconds: Int64) -> Outcome {
        guard isInOrder else {
            _ = clinux_poll(nil, 0, 1_000_000)
            return .broken
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if clinux_poll(&request, 1, nanoseconds) <= 0 { return .silent }
        // Not turned off: it may have been set again meanwhile, and then there is nothing to read.
        if request.revents == Int16(POLLIN), clinux_alarm_clear(descriptor) == 0 { return .rang }
        isBroken.store(true, ordering: .relaxed)
        return .broken
    }
}
