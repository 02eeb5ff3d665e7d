internal import Locking

/// The thread that looks at polled paths. It is not the hub's: a server that does not answer may hold it up for hours, and
/// the files of this machine go on being watched.
///
/// It runs while there are paths to look at.
final class Looker: Sendable {
    static let threadName = "FilePolling"

    private struct State {
        var paths: [PathID: PolledPath<Glance>] = [:]
        var news: [PathID] = []
        var isRunning = false
        /// Whether it has been woken and has not looked around since.
        var isWoken = false
    }

    private let state = Lock(State())
    private let parking = Parking()
    private let interval: Int64
    /// Called on its thread when there is news.
    private let announce: @Sendable () -> Void

    init(interval: Int64, announce: @escaping @Sendable () -> Void) {
        (self.interval, self.announce) = (interval, announce)
    }

    var hasNews: Bool { state.withLock { !$0.news.isEmpty } }

    func takeNews() -> [PathID] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Looks at the path from now on. The number of the error if no thread can be begun for that; then it should be asked
    /// again.
    func insert(_ id: PathID, _ path: String) -> Int32 {
        let mustBegin = state.withLock { state in
            if state.paths[id] == nil {
                state.paths[id] = PolledPath(path, .now, interval: interval)
            }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustBegin {
            let error = QuietThread.begin(named: Self.threadName) { self.run() }
            if error != 0 { state.withLock { $0.isRunning = false } }
            return error
        }
        wake()
        return 0
    }

    func remove(_ id: PathID) {
        let isLast = state.withLock { state in state.paths.removeValue(forKey: id) != nil && state.paths.isEmpty }
        if isLast { wake() }
    }

    func removeAll() {
        state.withLock { ($0.paths, $0.news) = ([:], []) }
        wake()
    }

    /// Has its thread look around, once for all that has come up by then.
    private func wake() {
        let isNeeded = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isNeeded { parking.wake() }
    }

    private func run() {
        while let due = due() {
            let now = Moment.now
            if now < due { parking.sleep(until: due) } else { look(now) }
        }
    }

    /// When to look next; nil when there is nothing more to look at, and the thread must end.
    private func due() -> Moment? {
        state.withLock { state in
            let due = state.paths.values.reduce(nil as Moment?) { min($0 ?? $1.due, $1.due) }
            state.isWoken = false
            if due == nil { state.isRunning = false }
            return due
        }
    }

    private func look(_ now: Moment) {
        let paths = state.withLock { state in
            state.paths.compactMap { $1.due <= now ? (id: $0, path: $1.path, last: $1.last) : nil }
        }
        for (id, path, last) in paths {
            let glance = Glance(path, after: last)
            // At once: the next path may be with a server that does not answer.
            if take(glance, id) { announce() }
        }
    }

    /// Whether that makes it the first news that nobody has heard of.
    private func take(_ glance: Glance, _ id: PathID) -> Bool {
        state.withLock { state in
            // It may have been given up meanwhile.
            guard state.paths[id]?.take(glance, .now) == true else { return false }
            state.news.append(id)
            return state.news.count == 1
        }
    }
}
