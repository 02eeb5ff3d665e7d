/// How long something that others hold up is tried again: 2 s in all, with growing pauses.
///
/// The others are told by the kernel that somebody waits, or are of our own kind and quick, so that most give it back in
/// the first moments.
struct Patience {
    private var spent = 0
    private var pause = 50
    private let longestPause: Int

    private static let limit = 2_000_000

    /// All times are in microseconds.
    init(longestPause: Int = 50_000) { self.longestPause = longestPause }

    /// Nil when it is used up.
    mutating func nextPause() -> Int? {
        guard spent < Self.limit else { return nil }
        defer { pause = min(pause * 2, longestPause) }
        let next = min(pause, Self.limit - spent)
        spent += next
        return next
    }
}
