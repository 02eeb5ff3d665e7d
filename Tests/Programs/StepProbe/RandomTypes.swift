import FoundationEssentials
import LosslessJSON

/// May be compared by its bytes if its parts may.
struct Record<First: RandomValue, Second: RandomValue, Third: RandomValue>: RandomValue {
    var first: First
    var second: Second
    var third: Third

    static func random(_ choices: inout RandomChoices) -> Record {
        Record(first: .random(&choices), second: .random(&choices), third: .random(&choices))
    }

    mutating func change(_ choices: inout RandomChoices) {
        switch choices.below(3) {
        case 0: first.change(&choices)
        case 1: second.change(&choices)
        default: third.change(&choices)
        }
    }
}

extension Record: BytewiseEquatable
where First: BytewiseEquatable, Second: BytewiseEquatable, Third: BytewiseEquatable {}

/// An enum with associated values, which may be compared by its bytes if they may.
enum Choice<First: RandomValue, Second: RandomValue>: RandomValue {
    case first(First)
    case second(number: Int, Second)
    case neither

    static func random(_ choices: inout RandomChoices) -> Choice {
        switch choices.below(3) {
        case 0: .first(.random(&choices))
        case 1: .second(number: .random(&choices), .random(&choices))
        default: .neither
        }
    }
}

extension Choice: BytewiseEquatable where First: BytewiseEquatable, Second: BytewiseEquatable {}

/// May not be compared by its bytes, although that would do.
struct Temperature: RandomValue {
    var degrees: Double

    static func random(_ choices: inout RandomChoices) -> Temperature { Temperature(degrees: .random(&choices)) }
}

/// An object, which may not be compared by its address.
final class Box<Value: RandomValue>: RandomValue {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func random(_ choices: inout RandomChoices) -> Box { Box(.random(&choices)) }
}

/// A struct that is an array or an object in JSON, by its own code.
struct Handwritten<Value: RandomValue>: RandomValue {
    var number: Int
    var value: Value

    static func random(_ choices: inout RandomChoices) -> Handwritten {
        Handwritten(number: .random(&choices), value: .random(&choices))
    }

    mutating func change(_ choices: inout RandomChoices) {
        if choices.chance(50) { number = .random(&choices) } else { value.change(&choices) }
    }

    private enum CodingKeys: CodingKey { case number, inner }
    private enum InnerKeys: CodingKey { case value }

    func encode(to encoder: any Encoder) throws {
        if number % 2 == 0 {
            var elements = encoder.unkeyedContainer()
            try elements.encode(number)
            try elements.encode(value)
        } else {
            var members = encoder.container(keyedBy: CodingKeys.self)
            var inner = members.nestedContainer(keyedBy: InnerKeys.self, forKey: .inner)
            try members.encode(number, forKey: .number)
            try inner.encode(value, forKey: .value)
        }
    }

    init(number: Int, value: Value) { (self.number, self.value) = (number, value) }

    init(from decoder: any Decoder) throws {
        if var elements = try? decoder.unkeyedContainer() {
            number = try elements.decode(Int.self)
            value = try elements.decode(Value.self)
        } else {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            number = try members.decode(Int.self, forKey: .number)
            value = try members.nestedContainer(keyedBy: InnerKeys.self, forKey: .inner)
                .decode(Value.self, forKey: .value)
        }
    }
}

/// Puts types together at random.
enum RandomTypes {
    /// The type of a session's value.
    static func root(_ random: inout SeededGenerator) -> any RandomValue.Type {
        switch random.below(4) {
        case 0: dictionary(String.self, part(&random, depth: 2))
        case 1: array(part(&random, depth: 2))
        default: record(part(&random, depth: 3), part(&random, depth: 3), part(&random, depth: 3))
        }
    }

    private static func part(_ random: inout SeededGenerator, depth: Int) -> any RandomValue.Type {
        let next = depth - 1
        return switch depth == 0 ? 0 : random.below(depth == 3 ? 10 : 14) {
        case 1, 2: dictionary(String.self, part(&random, depth: next))
        case 3: dictionary(Int.self, part(&random, depth: next))
        case 4, 5: array(part(&random, depth: next))
        case 6, 7: record(part(&random, depth: next), part(&random, depth: next), part(&random, depth: next))
        case 8: choice(part(&random, depth: next), part(&random, depth: next))
        case 9: random.chance(50) ? box(part(&random, depth: next)) : handwritten(part(&random, depth: next))
        case 10: optional(part(&random, depth: next))
        default: random.pick(scalars)
        }
    }

    private static let scalars: [any RandomValue.Type] = [
        Int.self, Int.self, Int?.self, UInt8.self, Bool.self, Double.self, String.self, String.self, String?.self,
        Date.self, Decimal.self, Temperature.self, JSON.self,
    ]

    private static func optional<Value: RandomValue>(_: Value.Type) -> any RandomValue.Type { Value?.self }

    private static func array<Element: RandomValue>(_: Element.Type) -> any RandomValue.Type { [Element].self }

    private static func dictionary<Key: RandomKey, Value: RandomValue>(
        _: Key.Type, _: Value.Type
    ) -> any RandomValue.Type { [Key: Value].self }

    private static func record<First: RandomValue, Second: RandomValue, Third: RandomValue>(
        _: First.Type, _: Second.Type, _: Third.Type
    ) -> any RandomValue.Type { Record<First, Second, Third>.self }

    private static func choice<First: RandomValue, Second: RandomValue>(
        _: First.Type, _: Second.Type
    ) -> any RandomValue.Type { Choice<First, Second>.self }

    private static func box<Value: RandomValue>(_: Value.Type) -> any RandomValue.Type { Box<Value>.self }

    private static func handwritten<Value: RandomValue>(_: Value.Type) -> any RandomValue.Type {
        Handwritten<Value>.self
    }
}
