internal import Glibc

/// An instant of the monotonic clock, which is never set and does not advance while the computer sleeps
/// (`CLOCK_MONOTONIC`).
package struct Instant: Comparable, Sendable {
    /// The nanoseconds since a fixed instant in the past, the same one for all processes.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    package static func + (start: Instant, duration: Duration) -> Instant {
        let (sum, overflows) = start.nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        return Instant(nanoseconds: overflows ? .max : sum)
    }

    package static func - (end: Instant, start: Instant) -> Duration {
        .nanoseconds(end.nanoseconds - start.nanoseconds)
    }

    /// An instant that is never reached.
    package static var distantFuture: Instant { Instant(nanoseconds: .max) }

    package static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to what an `Int64` can represent: about three centuries.
    fileprivate var clampedNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
