internal import Locking

/// The state of a polled path and the time of its next check. This is a pure value.
///
/// An unchanged path is checked once per interval. After a change it is checked sooner, because programs save in
/// several steps and people save repeatedly; then less and less often.
struct PolledPath<Sample: PollSample>: Sendable {
    let path: String
    private(set) var last: Sample?
    private(set) var due: Instant
    private var backoff: PollingBackoff
    /// Until then the file may have changed again without a visible difference in its timestamps.
    private var uncertainUntil: Instant?

    init(_ path: String, _ now: Instant, interval: Int64) {
        (self.path, due, backoff) = (path, now, PollingBackoff(interval: interval))
    }

    /// Records a sample and returns whether the file must be reported as changed.
    ///
    /// That is so for the first sample, which has nothing to be compared with; for each sample that differs from the
    /// one before; and once more when the file has been unchanged for longer than the granularity of its timestamps.
    mutating func record(_ sample: Sample, _ now: Instant) -> Bool {
        defer { due = backoff.next(after: now) }
        if last != sample {
            last = sample
            uncertainUntil = now + sample.timestampGranularity
            backoff.reset()
            return true
        }
        if let end = uncertainUntil, end <= now {
            uncertainUntil = nil
            return true
        }
        backoff.increase()
        return sample.isSynthetic
    }
}

/// The result of one check of a path.
protocol PollSample: Equatable, Sendable {
    /// Whether the kernel generates the file when it is read, so that its status shows no changes.
    var isSynthetic: Bool { get }
    /// The longest time, in nanoseconds, in which two changes can get the same timestamps.
    var timestampGranularity: Int64 { get }
}

/// The delay between two checks: the interval at rest, a thirty-second of it after a change, and twice the previous
/// delay in between.
struct PollingBackoff: Sendable {
    private let interval: Int64
    private var delay: Int64

    init(interval: Int64) { (self.interval, delay) = (interval, interval) }

    mutating func reset() { delay = max(interval / 32, min(interval, 5_000_000)) }

    mutating func increase() { delay = min(2 * delay, interval) }

    /// Returns the time of the next check. Paths with the same delay are checked at the same time, so that the thread
    /// wakes up once for all of them.
    func next(after now: Instant) -> Instant { Instant(nanoseconds: (now.nanoseconds / delay + 1) * delay) }
}
