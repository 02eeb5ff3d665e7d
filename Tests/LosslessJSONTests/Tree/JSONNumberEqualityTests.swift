import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Equality of numbers")
struct JSONNumberEqualityTests {
    /// Each row is one number.
    static let numbers = [
        ["0", "-0", "0.0", "-0.0", "0e5", "0E-5", "-0e+0", "0.000e99999999999999999999", "0e-99999999999999999999"],
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1.000000000000000000000000", "0.000000001e9", "1e000000000000"],
        ["-1", "-1.0", "-10e-1", "-1e-0"],
        ["1000", "1e3", "1E3", "1.0e+3", "10e2", "0.001e6", "1000.000", "100000e-2"],
        ["1001", "1.001e3"],
        ["0.1", "1e-1", "0.10", "100e-3"],
        ["0.30000000000000004"],
        ["0.3", "30e-2"],
        ["9007199254740993"],
        ["9007199254740992", "9007199254740992.0"],
        ["18446744073709551615", "18446744073709551615.0", "1844674407370955161.5e1"],
        ["18446744073709551616", "1844674407370955161.6e1"],
        ["1234567890123456789012345678901234567890", "123456789012345678901234567890123456789e1"],
        ["1234567890123456789012345678901234567891"],
        ["1e999999999", "10e999999998"],
        ["1e-999999999", "0.1e-999999998"],
        // Exponents around the largest that is stored as an integer.
        ["1e999999999999999999", "10e999999999999999998", "0.1e1000000000000000000"],
        ["1e1000000000000000000", "10e999999999999999999", "0.01e1000000000000000002"],
        ["1e-999999999999999999", "10e-1000000000000000000", "0.1e-999999999999999998"],
        ["1e-1000000000000000000", "10e-1000000000000000001", "0.1e-999999999999999999"],
        ["1e9223372036854775807", "10e9223372036854775806", "0.1e9223372036854775808"],
        ["1e9223372036854775808", "100e9223372036854775806"],
        ["1e18446744073709551616", "10e18446744073709551615"],  // equal to 1 if the exponent wraps at 64 bits
        [
            "1e99999999999999999999", "10e99999999999999999998", "0.1e100000000000000000000",
            "1000e99999999999999999996",
        ],
        ["-1e99999999999999999999", "-0.01e100000000000000000001"],
        ["1e-99999999999999999999", "0.1e-99999999999999999998", "10e-100000000000000000000"],
        ["1e99999999999999999998"],
        ["12e99999999999999999998", "1.2e99999999999999999999", "120e00099999999999999999997"],
    ]

    static func number(_ spelling: String) throws -> JSONNumber { try #require(JSONNumber(spelling: spelling)) }

    @Test("Numbers are equal and have equal hashes exactly if they have the same numeric value")
    func table() throws {
        let all = try JSONNumberEqualityTests.numbers.map { try $0.map(JSONNumberEqualityTests.number) }
        for (row, mine) in all.enumerated() {
            for (other, theirs) in all.enumerated() {
                for a in mine {
                    for b in theirs {
                        #expect((a == b) == (row == other), "\(a) and \(b)")
                        if row == other { #expect(a.hashValue == b.hashValue, "\(a) and \(b)") }
                    }
                }
            }
        }
        #expect(Set(all.joined()).count == all.count)
    }

    /// Common exponents, and those near the size at which their representation changes.
    static let exponents: [ClosedRange<Int128>] = [
        -30...30, -400...400, 999_999_999_999_999_980...1_000_000_000_000_000_020,
        -1_000_000_000_000_000_020 ... -999_999_999_999_999_980,
        9_223_372_036_854_775_800...9_223_372_036_854_775_815,
        99_999_999_999_999_999_990...100_000_000_000_000_000_010,
        -100_000_000_000_000_000_010 ... -99_999_999_999_999_999_990,
    ]

    @Test(
        "Random spellings of one number are equal, and spellings of neighboring numbers differ",
        arguments: SeededGenerator.seeds, exponents.indices)
    func respelled(seed: UInt64, kind: Int) throws {
        let exponents = JSONNumberEqualityTests.exponents[kind]
        var random = SeededGenerator(seed)
        for _ in 0..<120 {
            let value = RandomSpelling(&random, digits: 1...30, exponents: exponents)
            let spellings = (0..<3).map { _ in value.spelling(&random) }
            let numbers = try spellings.map(JSONNumberEqualityTests.number)
            let isOne = numbers.allSatisfy { $0 == numbers[0] && $0.hashValue == numbers[0].hashValue }
            #expect(isOne, "\(spellings), seed \(seed)")
            #expect(zip(numbers, spellings).allSatisfy { $0.spelling == $1 }, "\(spellings), seed \(seed)")
            let other = value.neighbor(&random).spelling(&random)
            let differs = try JSONNumberEqualityTests.number(other) != numbers[0]
            #expect(differs, "\(other) and \(spellings[0]), seed \(seed)")
        }
    }

    @Test("Numbers of ten thousand digits are compared in all digits")
    func manyDigits() throws {
        let digits = String(repeating: "1234567890", count: 1_000)
        let whole = try JSONNumberEqualityTests.number(digits)
        let shifted = try JSONNumberEqualityTests.number("0." + digits + "e10000")
        let short = try JSONNumberEqualityTests.number(String(digits.dropLast()) + "e1")
        let other = try JSONNumberEqualityTests.number(String(digits.dropLast(2)) + "80")
        #expect(whole == shifted && whole == short && whole.hashValue == short.hashValue)
        #expect(whole != other && shifted != other)
    }

    @Test("Values that contain numbers compare them by numeric value")
    func inValues() throws {
        let one = try JSON(parsing: #"{"a": [1.0, 1e3], "b": -0}"#)
        let other = try JSON(parsing: #"{"b": 0.0, "a": [1, 1000]}"#)
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one == ["a": [1, 1_000], "b": 0])
        #expect(one.description == #"{"a":[1.0,1e3],"b":-0}"#)
    }
}
