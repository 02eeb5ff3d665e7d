internal import Locking

/// What is known of a polled path and when to look at it next: a pure value.
///
/// At rest it is looked at once in an interval. After a change it is looked at sooner, because programs that save do so in
/// several steps and people who save do so again; then less and less often.
struct PolledPath<Look: PolledLook>: Sendable {
    let path: String
    private(set) var last: Look?
    private(set) var due: Moment
    private var pace: PollingPace
    /// What was seen may have changed right afterwards without looking any different, until then.
    private var doubtfulUntil: Moment?

    init(_ path: String, _ now: Moment, interval: Int64) {
        (self.path, due, pace) = (path, now, PollingPace(interval: interval))
    }

    /// Takes a look in; returns whether somebody should read the file.
    ///
    /// That is so with the first look, which shows nothing by itself; with every look that differs from the one before; and
    /// once more when the file has stood still for longer than its times need to show another change.
    mutating func take(_ look: Look, _ now: Moment) -> Bool {
        defer { due = pace.next(after: now) }
        if last != look {
            last = look
            doubtfulUntil = now + look.blindness
            pace.hurry()
            return true
        }
        if let end = doubtfulUntil, end <= now {
            doubtfulUntil = nil
            return true
        }
        pace.slowDown()
        return look.isMadeUp
    }
}

/// What a look at a path shows.
protocol PolledLook: Equatable, Sendable {
    var isMadeUp: Bool { get }
    var blindness: Int64 { get }
}

extension Glance: PolledLook {}

/// How often to look: the interval at rest, a thirty-second of it after a change, in between each pause twice as long
/// as the one before.
struct PollingPace: Sendable {
    private let interval: Int64
    private var pause: Int64

    init(interval: Int64) { (self.interval, pause) = (interval, interval) }

    mutating func hurry() { pause = max(interval / 32, min(interval, 5_000_000)) }

    mutating func slowDown() { pause = min(2 * pause, interval) }

    /// The next look. Those of all paths with one pause are at one moment, so that a thread wakes for all of them together.
    func next(after now: Moment) -> Moment { Moment(nanoseconds: (now.nanoseconds / pause + 1) * pause) }
}
