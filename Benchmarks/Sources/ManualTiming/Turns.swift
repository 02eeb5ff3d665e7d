extension Range<Int> {
    /// The numbers of this range, beginning with another one in each round: so each is measured first equally often, and
    /// the pending work of one does not always disturb the same other one.
    package func rotated(by round: Int) -> [Int] { map { lowerBound + ($0 - lowerBound + round) % count } }

    /// The numbers of this range in another order in each round, until all orders have been: so each follows every other
    /// one equally often, whose pending work may disturb it.
    package func permuted(by round: Int) -> [Int] {
        var (rest, places, order) = (Array(self), round, [Int]())
        while !rest.isEmpty {
            order.append(rest.remove(at: places % rest.count))
            places /= rest.count + 1
        }
        return order
    }
}
