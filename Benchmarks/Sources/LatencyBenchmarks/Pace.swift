import Glibc

/// How much time passes between one edit and the next.
enum Pace: String, CaseIterable {
    /// None: the next edit follows as soon as the last one has arrived, while processors and caches are awake.
    case atOnce = "at once"
    /// Some milliseconds, so that whoever has to wake has fallen asleep.
    case rested

    func pass(before edit: Int) {
        // Not always the same point of a clock's period.
        if self == .rested { usleep(UInt32(2_000 + edit * 613 % 2_000)) }
    }
}
