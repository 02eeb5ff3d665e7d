internal import Glibc

/// A moment of this computer's steady clock, which nobody sets and which stands still while the computer sleeps.
package struct Moment: Comparable, Sendable {
    /// Since some moment in the past, the same for all processes.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (sum, isBeyond) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return Moment(nanoseconds: isBeyond ? .max : sum)
    }

    package static func - (end: Moment, begin: Moment) -> Duration { .nanoseconds(end.nanoseconds - begin.nanoseconds) }

    package static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Duration {
    /// As many as fit: three centuries stand for ever.
    fileprivate var wholeNanoseconds: Int64 {
        let (nanoseconds, isBeyond) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if isBeyond { return components.seconds < 0 ? .min : .max }
        let (sum, isBeyondToo) = nanoseconds.addingReportingOverflow(components.attoseconds / 1_000_000_000)
        return isBeyondToo ? (nanoseconds < 0 ? .min : .max) : sum
    }
}
