import Glibc
import Locking
import LosslessJSON
import SessionMirror

/// Events of sessions that the main thread has not yet printed, each with the index of its file.
///
/// The threads of sessions add events in order. One that adds to an empty queue may take the events at once. The main
/// thread waits for the others on a pipe, so that it can poll standard output for closure at the same time.
final class EventQueue: Sendable {
    enum WaitResult {
        case events, timedOut
        /// Another descriptor is readable.
        case input
        /// The reader of standard output has closed it.
        case outputClosed
    }

    typealias Entry = (event: WatchEvent, file: Int)

    private struct State {
        var events: [Entry] = []
        var lastAddition = ContinuousClock.now
        var deliver: (@Sendable () -> Bool)?
    }

    private let state = Lock(State())
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
        let (isAlone, deliver, _) = state.withLock { state in
            let before = state.events
            var events = before
            if event.isVersion, events.count >= EventQueue.maximumInOrder {
                events.removeAll { $0.file == file && $0.event.isVersion }
            } else if event.isVersion, let last = events.last, last.file == file, last.event.isVersion {
                events.removeLast()
            }
            if events.count >= EventQueue.maximumCount, let oldest = events.firstIndex(where: { !$0.event.isVersion }) {
                events.remove(at: oldest)
            }
            events.append((event, file))
            (state.events, state.lastAddition) = (events, .now)
            return (before.isEmpty, state.deliver, before)
        }
        if isAlone, !(deliver?() ?? false) { wake() }
    }

    /// Lets the main thread return from its wait. At most one byte is in the pipe for each time that the queue was
    /// emptied, so this does not block.
    private func wake() { _ = Glibc.write(wakeWriteEnd, [1], 1) }

    /// Sets a function that is called on the thread that has added an event to the empty queue. It may take the events,
    /// and returns whether the main thread need not wake.
    func deliver(to function: (@Sendable () -> Bool)?) { state.withLock { $0.deliver = function } }

    /// Removes and returns all events in order.
    func takeAll() -> [Entry] { takeAll(unless: { _ in false }) ?? [] }

    /// Removes and returns all events in order, or nil if one of them is of a kind that only the main thread handles.
    func takeAll(unless isForMain: (WatchEvent) -> Bool) -> [Entry]? {
        state.withLock { state in
            if state.events.contains(where: { isForMain($0.event) }) { return nil }
            defer { state.events = [] }
            return state.events
        }
    }

    /// When an event was last added.
    var lastAddition: ContinuousClock.Instant { state.withLock(\.lastAddition) }

    /// Waits for events, for another descriptor to be readable, for the deadline, or for standard output to be closed.
    ///
    /// Of several, it returns input first, then events.
    func wait(until deadline: ContinuousClock.Instant?, orInput inputs: [Int32] = []) throws(Failure) -> WaitResult {
        var requests = (inputs + [wakeReadEnd]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        requests.append(pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
        while true {
            let count = poll(&requests, nfds_t(requests.count), PollTime.milliseconds(until: deadline))
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
}

/// An event of a session.
enum WatchEvent: Sendable {
    /// A new version was published.
    case version(Snapshot<JSON>, at: UnixTime)
    /// A problem, a recovery, or a status.
    case report(MirrorReport)
    /// A directory, whose index is that of the event, may have changed.
    case directory

    var isVersion: Bool { if case .version = self { true } else { false } }
    var isDirectory: Bool { if case .directory = self { true } else { false } }
}

/// A point in time of the real-time clock.
struct UnixTime: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    let nanoseconds: Int64

    /// The local time of day: `14:05:09`.
    var clock: String { text("%H:%M:%S") }

    /// The local date and time in the form of RFC 3339: `2026-03-01T14:05:09.250+01:00`.
    var timestamp: String {
        let thousandths = String(nanoseconds / 1_000_000 % 1_000 + 1_000).dropFirst()
        let zone = text("%z")
        return "\(text("%Y-%m-%dT%H:%M:%S")).\(thousandths)\(zone.prefix(3)):\(zone.dropFirst(3))"
    }

    private func text(_ format: String) -> String {
        var (seconds, parts) = (time_t(nanoseconds / 1_000_000_000), tm())
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static var now: UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
