/// Draws that give the same results with every version of Swift: generated documents must be the same bytes in every
/// run. The algorithm of `random(in:using:)` may change.
///
/// `SeededGenerator.swift` is a symbolic link to the file of the tests. Its target is no product of the main package,
/// so another package cannot depend on it.
extension SeededGenerator {
    /// A number from the range, with a negligible bias.
    package mutating func number(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    package mutating func element<Element>(of choices: [Element]) -> Element { choices[number(in: 0..<choices.count)] }

    /// True in one of `count` cases.
    package mutating func happens(onceIn count: Int) -> Bool { number(in: 0..<count) == 0 }
}
