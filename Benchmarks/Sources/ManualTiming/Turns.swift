extension Range<Int> {
    /// The numbers of this range, beginning with another one in each round: so each is measured first equally often, and
    /// the pending work of one does not always disturb the same other one.
    package func rotated(by round: Int) -> [Int] { map { lowerBound + ($0 - lowerBound + round) % count } }
}
