import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Integer views of numbers")
struct JSONNumberIntegerTests {
    /// Spellings, and the plain digits of the whole number they denote, if they denote one.
    static let rows: [(spelling: String, digits: String?)] =
        [
            ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.00", "0"), ("0e5", "0"), ("0e-400", "0"), ("-0e1", "0"),
            ("1", "1"), ("-1", "-1"), ("1e3", "1000"), ("8080.0", "8080"), ("1.5", nil), ("1e-1", nil), ("10e-1", "1"),
            ("-10e-1", "-1"), ("15e-1", nil), ("0.5e1", "5"), ("1.50e1", "15"), ("1.55e1", nil), ("1e400", nil),
            ("1e-400", nil), ("100000000000000000000e-18", "100"), ("0.00000000000000000001e20", "1"), ("1e2", "100"),
            ("1.27e2", "127"), ("1.28E+2", "128"), ("-1.28e2", "-128"), ("-129e0", "-129"), ("25500e-2", "255"),
            ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil), ("0e99999999999999999999", "0"),
            ("1e18446744073709551616", nil), ("1e9223372036854775808", nil), ("1e63", nil), ("1e64", nil),
            ("1e38", "1" + String(repeating: "0", count: 38)), ("3e38", "3" + String(repeating: "0", count: 38)),
            ("1e39", nil), ("4e38", nil), ("1" + String(repeating: "0", count: 60) + "e-60", "1"),
        ] + bounds.map { ($0, $0) } + bounds.map { ($0 + ".000", $0) } + bounds.map { ($0 + "0e-1", $0) }
        + bounds.map { ($0 + ".5", nil) } + bounds.map { (String($0.dropLast()) + "." + $0.suffix(1) + "e1", $0) }

    /// The least and the largest of each type, and their neighbors.
    static let bounds = [
        "-129", "-128", "-127", "127", "128", "254", "255", "256", "-32769", "-32768", "32767", "32768", "65535",
        "65536", "-2147483649", "-2147483648", "2147483647", "2147483648", "4294967295", "4294967296",
        "-9223372036854775809", "-9223372036854775808", "-9223372036854775807", "9223372036854775806",
        "9223372036854775807", "9223372036854775808", "18446744073709551614", "18446744073709551615",
        "18446744073709551616", "-170141183460469231731687303715884105729", "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
    ]

    /// The values that differ from Swift's own conversion of the plain digits, in any of the types.
    static func fault(_ spelling: String, _ digits: String?) throws -> String? {
        let number = try #require(JSONNumber(spelling: spelling), "\(spelling)")
        func check<Integer: FixedWidthInteger>(_ type: Integer.Type) -> String? {
            let (found, expected) = (number.integer(as: type), digits.flatMap { Integer($0) })
            return found == expected ? nil : "\(spelling) as \(type) is \(String(describing: found))"
        }
        guard number.int == number.integer(as: Int.self), number.uint64 == number.integer(as: UInt64.self) else {
            return "\(spelling): the views differ"
        }
        let types: [any FixedWidthInteger.Type] = [
            Int.self, UInt.self, Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self,
            UInt64.self, Int128.self, UInt128.self,
        ]
        return types.lazy.compactMap { check($0) }.first
    }

    @Test("An integer view is exact, or nil if the number is not an integer of the type", arguments: rows.indices)
    func table(row: Int) throws {
        let (spelling, digits) = JSONNumberIntegerTests.rows[row]
        let fault = try JSONNumberIntegerTests.fault(spelling, digits)
        #expect(fault == nil)
    }

    @Test(
        "Random spellings of integers convert to every integer type that can represent them",
        arguments: SeededGenerator.seeds)
    func respelled(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<200 {
            let value = RandomSpelling(&random, digits: 1...random.pick([2, 4, 19, 20, 38, 40]), exponents: 0...2)
            let zeros = String(repeating: "0", count: Int(value.exponent))
            let digits = (value.isNegative ? "-" : "") + value.digits + zeros
            let fault = try JSONNumberIntegerTests.fault(value.spelling(&random), digits)
            #expect(fault == nil, "seed \(seed)")
        }
    }

    @Test(
        "Every integer from -300 to 300 converts exactly to Int8 and UInt8 or gives nil",
        arguments: SeededGenerator.seeds.prefix(1))
    func eightBits(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for value in -300...300 where value != 0 {
            let spelling = RandomSpelling(String(value.magnitude), isNegative: value < 0).spelling(&random)
            let number = try #require(JSONNumber(spelling: spelling))
            #expect(number.integer() == Int8(exactly: value), "\(spelling)")
            #expect(number.integer() == UInt8(exactly: value), "\(spelling)")
        }
    }

    @Test("Numbers created from integers have plain spellings and convert back")
    func fromIntegers() {
        #expect(JSONNumber(Int.min).spelling == "-9223372036854775808" && JSONNumber(Int.min).int == .min)
        #expect(JSONNumber(UInt64.max).uint64 == .max && JSONNumber(UInt64.max).int == nil)
        #expect(JSONNumber(Int128.min).integer() == Int128.min && JSONNumber(UInt128.max).integer() == UInt128.max)
        #expect((7 as JSONNumber).spelling == "7" && (2.5 as JSONNumber).spelling == "2.5")
    }
}
