/// A random number generator that yields the same sequence for the same seed: Sebastiano Vigna's SplitMix64.
///
/// Tests print the seed with every failure, so that the failure can be reproduced. No test depends on a particular
/// sequence.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    /// Three seeds that are the same in every run, and one that differs.
    package static let seeds: [UInt64] = [1, 2, 3, .random(in: 1_000...999_999_999)]

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// True in `percent` of 100 cases.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A number from 0 to `limit` - 1.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// One of the elements.
    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
