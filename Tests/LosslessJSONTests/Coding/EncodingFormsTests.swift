import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Encoding elements whose form changes")
struct EncodingFormsTests {
    /// A type that uses its encoder in another way for each form.
    private struct Shapeshifter: Encodable {
        var form: Int
        var number: Int

        static let forms = 12

        func encode(to encoder: any Encoder) throws {
            let members = { encoder.container(keyedBy: AnyCodingKey.self) }
            switch form {
            case 0: break
            case 1:
                var elements = encoder.unkeyedContainer()
                try elements.encode(number)
                try elements.encode(["a"])
            case 2:
                var value = encoder.singleValueContainer()
                try value.encode(["x": number])
            case 3:
                var container = members()
                try container.encode(number, forKey: .name("twice"))
                try container.encode("between", forKey: .name("other"))
                try container.encode(number / 2, forKey: .name("twice"))
            case 4:
                var (one, other) = (members(), members())
                try one.encode(1, forKey: .name("one"))
                try other.encode(number, forKey: .name("other"))
                try one.encode(true, forKey: .name("last"))
            case 5:
                var container = members()
                try container.encode(1, forKey: .name("before"))
                var nested = container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .name("nested"))
                var list = container.nestedUnkeyedContainer(forKey: .name("list"))
                try container.encode(number / 2, forKey: .name("after"))
                try nested.encode(number, forKey: .name("inner"))
                try list.encode(number / 3)
            case 6:
                var container = members()
                try container.encode(number / 2, forKey: .name("own"))
                try Shapeshifter(form: 7, number: number).encode(to: container.superEncoder())
            case 7:
                var container = members()
                try container.encode(1.5, forKey: .name("first"))
                try? container.encode(Double.nan, forKey: .name("not a number"))
                try container.encode(number, forKey: .name("last"))
            case 8, 9:
                var container = members()
                for place in 0..<(form == 8 ? 32 : 33) {
                    try container.encode(place + number / 4, forKey: .name("\(place)"))
                }
            case 10:
                var container = members()
                if number % 2 == 0 { try container.encode(1, forKey: .name("sometimes")) }
                try container.encode(["a", "b"], forKey: .name("words"))
                if number % 3 == 0 { try container.encodeNil(forKey: .name("nothing")) }
                try container.encode(Shapeshifter(form: number % 10, number: number / 2), forKey: .name("nested"))
            default:
                var container = members()
                try container.encode(Array(repeating: number / 2, count: number % 4), forKey: .name("numbers"))
                try container.encode(JSON("\u{e9} \(number / 3)"), forKey: .name("any"))
                try container.encode(Float(number) / 3, forKey: .name("float"))
                try container.encode(["a", "", "longer than fifteen bytes", "\u{65}\u{301}"], forKey: .name("words"))
            }
        }
    }

    @Test("Elements that use their encoders in any way give the same text", arguments: SeededGenerator.seeds)
    func forms(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let (dictionary, array) = (EncodingPair(), EncodingPair())
        var elements = (0..<24).map { Shapeshifter(form: $0 % Shapeshifter.forms, number: $0) }
        for _ in 0..<100 {
            for _ in 0..<random.below(4) {
                let place = random.below(elements.count)
                if random.chance(30) { elements[place].form = random.below(Shapeshifter.forms) }
                elements[place].number = random.below(16)
            }
            try array.encode(elements)
            try dictionary.encode(Dictionary(uniqueKeysWithValues: elements.enumerated().map { ("\($0)", $1) }))
        }
    }
}
