/// The same numbers in every run and with every version of Swift: Sebastiano Vigna's SplitMix64.
///
/// Swift's own `random(in:using:)` may come to draw them in another way.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number of the range; that some come a trifle more often than others does not matter here.
    mutating func number(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(in: 0..<choices.count)] }

    /// True in one of `count` cases.
    mutating func happens(onceIn count: Int) -> Bool { number(in: 0..<count) == 0 }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.dropFirst() { elements.swapAt(index, number(in: 0..<index + 1)) }
        return elements
    }
}
