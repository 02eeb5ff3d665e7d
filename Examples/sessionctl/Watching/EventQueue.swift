import Glibc
import Locking
import LosslessJSON
import SessionMirror

/// Events of sessions that the main thread has not yet printed, each with the index of its file.
///
/// The threads of sessions add events in order. The main thread waits on a pipe, so that it can poll standard output
/// for closure at the same time.
final class EventQueue: Sendable {
    enum WaitResult {
        case events, timedOut
        /// Another descriptor is readable.
        case input
        /// The reader of standard output has closed it.
        case outputClosed
    }

    private let events = Lock<[(event: WatchEvent, file: Int)]>([])
    private let wakeReadEnd: Int32
    private let wakeWriteEnd: Int32

    init() throws(Failure) {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw .systemError("pipe", errorNumber: errno) }
        (wakeReadEnd, wakeWriteEnd) = (descriptors[0], descriptors[1])
    }

    deinit {
        close(wakeReadEnd)
        close(wakeWriteEnd)
    }

    /// The number of pending events above which only the newest version is kept.
    private static let maximumInOrder = 16
    private static let maximumCount = 1_024

    /// Adds an event. A version replaces a directly preceding pending version of its file, and in a long queue every
    /// pending version of its file. Drops the oldest reports above the maximum, so that unread output needs bounded
    /// memory.
    func add(_ event: WatchEvent, of file: Int) {
        // Dropped events may be large, and are freed outside the lock.
        let (isAlone, _) = events.withLock { events in
            let before = events
            if event.isVersion, events.count >= EventQueue.maximumInOrder {
                events.removeAll { $0.file == file && $0.event.isVersion }
            } else if event.isVersion, let last = events.last, last.file == file, last.event.isVersion {
                events.removeLast()
            }
            if events.count >= EventQueue.maximumCount, let oldest = events.firstIndex(where: { !$0.event.isVersion }) {
                events.remove(at: oldest)
            }
            events.append((event, file))
            return (before.isEmpty, before)
        }
        // At most one byte is in the pipe for each call of `takeAll`, so this does not block.
        if isAlone { _ = Glibc.write(wakeWriteEnd, [1], 1) }
    }

    /// Removes and returns all events in order.
    func takeAll() -> [(event: WatchEvent, file: Int)] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Waits for events, for another descriptor to be readable, for the deadline, or for standard output to be closed.
    ///
    /// Of several, it returns input first, then events.
    func wait(until deadline: ContinuousClock.Instant?, orInput inputs: [Int32] = []) throws(Failure) -> WaitResult {
        var requests = (inputs + [wakeReadEnd]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        requests.append(pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
        while true {
            let count = poll(&requests, nfds_t(requests.count), deadline.map(EventQueue.milliseconds) ?? -1)
            if count < 0, errno != EINTR { throw .systemError("poll", errorNumber: errno) }
            if count > 0 {
                if requests[..<inputs.count].contains(where: { $0.revents != 0 }) { return .input }
                return requests[inputs.count].revents == 0 ? .outputClosed : drainPipe()
            }
            if let deadline, ContinuousClock.now >= deadline { return .timedOut }
        }
    }

    private func drainPipe() -> WaitResult {
        var byte: UInt8 = 0
        _ = Glibc.read(wakeReadEnd, &byte, 1)
        return .events
    }

    /// Rounds up, and clamps to what `poll` accepts.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let rest = (deadline - .now) / .milliseconds(1)
        return Int32(max(0, min(rest.rounded(.up), Double(Int32.max))))
    }
}

/// An event of a session.
enum WatchEvent: Sendable {
    /// A new version was published.
    case version(Snapshot<JSON>, at: UnixTime)
    /// A problem, a recovery, or a status.
    case report(MirrorReport)

    var isVersion: Bool { if case .version = self { true } else { false } }
}

/// A point in time of the real-time clock.
struct UnixTime: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    let nanoseconds: Int64

    /// The local time of day: `14:05:09`.
    var clock: String {
        var (seconds, parts) = (time_t(nanoseconds / 1_000_000_000), tm())
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    }

    static var now: UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
