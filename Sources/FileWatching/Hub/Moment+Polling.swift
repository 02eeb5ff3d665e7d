internal import Locking

extension Moment {
    static let second: Int64 = 1_000_000_000

    static func + (a: Moment, nanoseconds: Int64) -> Moment { Moment(nanoseconds: a.nanoseconds + nanoseconds) }

    /// How many milliseconds `poll` has to wait for it: none when it has come, else rounded up.
    func milliseconds(from now: Moment) -> Int32 {
        Int32(clamping: max(0, (nanoseconds - now.nanoseconds + 999_999) / 1_000_000))
    }
}
