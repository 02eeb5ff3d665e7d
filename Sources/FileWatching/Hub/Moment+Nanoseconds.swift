internal import Locking

extension Moment {
    static let second: Int64 = 1_000_000_000

    static func + (a: Moment, nanoseconds: Int64) -> Moment { Moment(nanoseconds: a.nanoseconds + nanoseconds) }
}
