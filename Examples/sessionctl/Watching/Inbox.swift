import Glibc
import Locking
import LosslessJSON
import SessionMirror

/// What a session has told and the main thread has not yet shown.
///
/// The session's threads put events in, in their order. The main thread sleeps until there is one; a pipe wakes it, so
/// that it can wait for its output to be left alone at the same time.
final class Inbox: Sendable {
    /// Why the waiting is over.
    enum Wake {
        case events, timeOver
        /// Nobody reads standard output any more.
        case unread
    }

    private let events = Lock<[WatchEvent]>([])
    private let bell: Int32
    private let bellPull: Int32

    init() throws(Failure) {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw .refused("pipe", errorNumber: errno) }
        (bell, bellPull) = (descriptors[0], descriptors[1])
    }

    deinit {
        close(bell)
        close(bellPull)
    }

    /// Takes the place of a version that came just before and was not taken.
    func add(_ event: WatchEvent) {
        let isAlone = events.withLock { events in
            let isAlone = events.isEmpty
            if case .version = event, case .version = events.last { events.removeLast() }
            events.append(event)
            return isAlone
        }
        // One byte for each time that all was taken, so this never waits.
        if isAlone { _ = Glibc.write(bellPull, [1], 1) }
    }

    /// Everything, in order; none if there is none.
    func takeAll() -> [WatchEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Sleeps until there are events, or nothing to wait for any more.
    func wait(until deadline: ContinuousClock.Instant?) throws(Failure) -> Wake {
        var requests = [
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0), pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        while true {
            let count = poll(&requests, 2, deadline.map(Inbox.milliseconds) ?? -1)
            if count < 0, errno != EINTR { throw .refused("poll", errorNumber: errno) }
            if count > 0 { return requests[0].revents == 0 ? .unread : answer() }
            if let deadline, ContinuousClock.now >= deadline { return .timeOver }
        }
    }

    private func answer() -> Wake {
        var byte: UInt8 = 0
        _ = Glibc.read(bell, &byte, 1)
        return .events
    }

    /// Rather too many than too few; as many as the system counts.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let rest = (deadline - .now) / .milliseconds(1)
        return Int32(max(0, min(rest.rounded(.up), Double(Int32.max))))
    }
}
