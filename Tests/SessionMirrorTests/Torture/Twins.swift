import LosslessJSON
import SessionMirror

/// A value whose parts say the same: who sees two versions at once finds parts that differ.
struct Twins: Codable, Equatable, Sendable {
    var first: Int
    var words: String
    var pair: Pair
    var last: Int

    struct Pair: Codable, Equatable, Sendable {
        var numbers: [Int]
    }

    init(_ number: Int) {
        first = number
        words = "the number is \(number)"
        pair = Pair(numbers: [number, number])
        last = number
    }

    var isWhole: Bool { self == Twins(first) }

    /// For sessions of a file: what is written to it may be half old and half new.
    static func check(_ twins: Twins) throws {
        guard twins.isWhole else { throw Refusal("must be of one piece") }
    }

    var json: JSON {
        [
            "first": JSON(first), "words": JSON(words), "pair": ["numbers": [JSON(first), JSON(first)]],
            "last": JSON(last),
        ]
    }

    /// The text of a file, of the same length for all numbers from 1,000,000 to 9,999,999.
    var text: String {
        #"{"first":\#(first),"words":"\#(words)","pair":{"numbers":\#(pair.numbers)},"last":\#(last)}"#
    }
}
