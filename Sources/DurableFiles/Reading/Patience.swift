/// How long a file that another program keeps to itself is tried again: 2 s in all, with growing pauses.
///
/// The other program is told by the kernel that somebody waits, so that most give it back in the first moments.
struct Patience {
    private var spent = 0
    private var pause = 1

    private static let limit = 2_000
    private static let longestPause = 50

    /// In milliseconds; nil when it is used up.
    mutating func nextPause() -> Int? {
        guard spent < Self.limit else { return nil }
        defer { pause = min(pause * 2, Self.longestPause) }
        let next = min(pause, Self.limit - spent)
        spent += next
        return next
    }
}
