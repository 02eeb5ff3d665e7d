internal import Glibc

/// A time that only goes forward, in nanoseconds.
struct Moment: Comparable, Sendable {
    let nanoseconds: Int64

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static let second: Int64 = 1_000_000_000

    static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
    static func + (a: Moment, nanoseconds: Int64) -> Moment { Moment(nanoseconds: a.nanoseconds + nanoseconds) }

    /// How many milliseconds `poll` has to wait for it: none when it has come, else rounded up.
    func milliseconds(from now: Moment) -> Int32 {
        Int32(clamping: (nanoseconds - now.nanoseconds + 999_999) / 1_000_000).clamped
    }
}

extension Int32 {
    fileprivate var clamped: Int32 { Swift.max(self, 0) }
}
