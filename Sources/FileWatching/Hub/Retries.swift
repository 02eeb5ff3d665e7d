internal import Locking

/// The polled paths for which inotify is to be tried again, and when: once in an interval, all together.
struct Retries {
    private let interval: Int64
    private(set) var paths: Set<PathID> = []
    private(set) var deadline: Moment?

    init(interval: Int64) { self.interval = interval }

    mutating func insert(_ path: PathID, _ now: Moment) {
        paths.insert(path)
        if deadline == nil { deadline = now + interval }
    }

    mutating func remove(_ path: PathID) {
        paths.remove(path)
        if paths.isEmpty { deadline = nil }
    }

    /// The paths to try, if it is time.
    mutating func takeDue(_ now: Moment) -> [PathID] {
        guard let due = deadline, due <= now else { return [] }
        deadline = now + interval
        return paths.sorted { $0.number < $1.number }
    }
}
