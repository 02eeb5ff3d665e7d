import FoundationEssentials
import LosslessJSON

/// A value that can be chosen and changed at random.
protocol RandomValue: Codable, Sendable {
    static func random(_ choices: inout RandomChoices) -> Self
    mutating func change(_ choices: inout RandomChoices)
}

extension RandomValue {
    mutating func change(_ choices: inout RandomChoices) { self = .random(&choices) }
}

/// A key of a dictionary, with an order that is the same in all processes.
protocol RandomKey: RandomValue, Hashable, Comparable {}

/// The random choices of values inside of values.
struct RandomChoices {
    var generator: SeededGenerator
    private var depth = 0

    init(_ generator: SeededGenerator) { self.generator = generator }

    mutating func below(_ limit: Int) -> Int { generator.below(limit) }

    mutating func chance(_ percent: Int) -> Bool { generator.chance(percent) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { generator.pick(elements) }

    /// A number of elements: often as many as are remembered from version to version, few in inner collections.
    mutating func count() -> Int {
        switch depth {
        case 0: chance(90) ? 16 + below(50) : below(8)
        case 1: chance(15) ? 16 + below(10) : below(4)
        default: below(3)
        }
    }

    /// Makes or changes an element of a collection.
    mutating func inside<Result>(_ choose: (inout RandomChoices) -> Result) -> Result {
        depth += 1
        defer { depth -= 1 }
        return choose(&self)
    }
}

extension Int: RandomKey {
    static func random(_ choices: inout RandomChoices) -> Int { choices.chance(95) ? choices.below(90) - 9 : .max }
}

extension UInt8: RandomValue {
    static func random(_ choices: inout RandomChoices) -> UInt8 { UInt8(choices.below(256)) }
}

extension Bool: RandomValue {
    static func random(_ choices: inout RandomChoices) -> Bool { choices.chance(50) }
}

extension Double: RandomValue {
    static func random(_ choices: inout RandomChoices) -> Double {
        choices.pick([0, -0.0, 0.1, 1e-5, 0.1 + 0.2, 1e22, 123_456_789_012_345, Double(choices.below(800)) / 8])
    }
}

extension String: RandomKey {
    static func random(_ choices: inout RandomChoices) -> String {
        let number = choices.below(80)
        return switch choices.below(12) {
        case 0: choices.pick(["", "\u{E9}", "e\u{301}", "tab\t", "\u{1F600} \u{0}", "\"quoted\" \\", "12", "// x"])
        case 1...3: "a text that is longer than fifteen bytes \(number)"
        default: "key \(number)"
        }
    }
}

extension Date: RandomValue {
    static func random(_ choices: inout RandomChoices) -> Date {
        Date(timeIntervalSince1970: Double(choices.below(2_000_000_000)))
    }
}

extension Decimal: RandomValue {
    static func random(_ choices: inout RandomChoices) -> Decimal { Decimal(choices.below(1_000)) / 100 }
}

extension JSON: RandomValue {
    static func random(_ choices: inout RandomChoices) -> JSON {
        switch choices.below(6) {
        case 0: choices.chance(50) ? .null : true
        case 1, 2: JSON(Int.random(&choices))
        case 3: JSON(String.random(&choices))
        case 4: .array(JSONArray((0..<choices.below(3)).map { JSON($0) }))
        default: ["a": JSON(Int.random(&choices)), "b": JSON(String.random(&choices))]
        }
    }
}

extension Optional: RandomValue where Wrapped: RandomValue {
    static func random(_ choices: inout RandomChoices) -> Wrapped? {
        choices.chance(40) ? nil : Wrapped.random(&choices)
    }
}

extension Array: RandomValue where Element: RandomValue {
    static func random(_ choices: inout RandomChoices) -> [Element] {
        (0..<choices.count()).map { _ in choices.inside { .random(&$0) } }
    }

    mutating func change(_ choices: inout RandomChoices) {
        let index = choices.below(count + 1)
        switch choices.below(count < 8 ? 4 : 10) {
        case 0, 1: insert(choices.inside { .random(&$0) }, at: index)
        case 2 where index < count: remove(at: index)
        case 3 where index < count: swapAt(index, choices.below(count))
        case 9 where choices.chance(10): self = .random(&choices)
        default: if index < count { choices.inside { self[index].change(&$0) } }
        }
    }
}

extension Dictionary: RandomValue where Key: RandomKey, Value: RandomValue {
    static func random(_ choices: inout RandomChoices) -> [Key: Value] {
        var values: [Key: Value] = [:]
        for _ in 0..<choices.count() { values[.random(&choices)] = choices.inside { Value.random(&$0) } }
        return values
    }

    mutating func change(_ choices: inout RandomChoices) {
        let key = count < 8 || choices.chance(20) ? .random(&choices) : choices.pick(keys.sorted())
        switch choices.below(count < 8 ? 3 : 10) {
        case 0, 1: self[key] = choices.inside { Value.random(&$0) }
        case 2: removeValue(forKey: key)
        case 9 where choices.chance(10): self = .random(&choices)
        default: choices.inside { self[key]?.change(&$0) }
        }
    }
}
