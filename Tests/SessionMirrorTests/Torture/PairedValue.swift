import LosslessJSON
import SessionMirror

/// A value with equal parts. A reader that sees two versions at once finds different parts.
struct PairedValue: Codable, Equatable, Sendable {
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

    var isWhole: Bool { self == PairedValue(first) }

    /// Rejects torn values. A file that is written in place may be half old and half new.
    static func check(_ value: PairedValue) throws {
        guard value.isWhole else { throw ValidationError("must have equal parts") }
    }

    var json: JSON {
        [
            "first": JSON(first), "words": JSON(words), "pair": ["numbers": [JSON(first), JSON(first)]],
            "last": JSON(last),
        ]
    }

    /// The text of a file. It has the same length for all numbers from 1,000,000 to 9,999,999.
    var text: String {
        #"{"first":\#(first),"words":"\#(words)","pair":{"numbers":\#(pair.numbers)},"last":\#(last)}"#
    }
}
