/// Random numbers that come again with the same seed, so that a failure can be repeated.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// A few seeds that are the same in every run and one that is not: tests name the seed with every failure.
    static let seeds: [UInt64] = [1, 2, 3, .random(in: 1_000...999_999_999)]

    /// A Weyl sequence, each step scrambled by multiplying and folding.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let (high, low) = (state ^ 0xD1B5_4A32_D192_ED03).multipliedFullWidth(by: 0xBEA2_25F9_EB34_556D)
        let folded = high ^ low
        return (folded ^ folded >> 29) &* 0x94D0_49BB_1331_11EB ^ folded >> 32
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
