import Glibc
import HandTimed

/// How much time passes between one edit and the next.
enum Pace: String {
    /// None: the next edit follows as soon as the last one has arrived, while processors and caches are awake.
    case atOnce = "at once"
    /// Half a millisecond, in which whoever was told of the last edit has done all that follows from it, while this processor
    /// stays awake.
    case soon
    /// Some milliseconds, so that whoever has to wake has fallen asleep.
    case rested

    func pass(before edit: Int) {
        switch self {
        case .atOnce: break
        case .soon: Pace.stayAwake(500_000)
        // Not always the same point of a clock's period.
        case .rested: usleep(UInt32(2_000 + edit * 613 % 2_000))
        }
    }

    private static func stayAwake(_ nanoseconds: Int) {
        let end = now() + nanoseconds
        while now() < end {}
    }
}
