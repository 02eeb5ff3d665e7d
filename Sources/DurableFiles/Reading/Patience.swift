/// How long something that others hold up is tried again: 2 s in all if nothing else is said, with growing pauses.
///
/// The others are told by the kernel that somebody waits, or are of our own kind and quick, so that most give it back in
/// the first moments.
struct Patience {
    private var spent = 0
    private var pause = 50
    private let limit: Int
    private let longestPause: Int

    /// All times are in microseconds.
    init(limit: Int = 2_000_000, longestPause: Int = 50_000) { (self.limit, self.longestPause) = (limit, longestPause) }

    /// Nil when it is used up.
    mutating func nextPause() -> Int? {
        guard spent < limit else { return nil }
        defer { pause = min(pause * 2, longestPause) }
        let next = min(pause, limit - spent)
        spent += next
        return next
    }
}
