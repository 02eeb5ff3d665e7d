import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Floating-point views of numbers")
struct JSONNumberDoubleTests {
    /// The values that differ from Swift's own conversion of the spelling.
    static func fault(_ spelling: String) throws -> String? {
        let number = try #require(JSONNumber(spelling: spelling), "\(spelling)")
        let double = Double(spelling).flatMap { $0.isFinite ? $0 : nil }
        if number.double?.bitPattern != double?.bitPattern { return "\(spelling) is \(number.double ?? .nan)" }
        let float = Float(spelling).flatMap { $0.isFinite ? $0 : nil }
        return number.float?.bitPattern == float?.bitPattern ? nil : "\(spelling) as Float is \(number.float ?? .nan)"
    }

    /// The number of digits, and the power of ten.
    static let kinds: [(digits: ClosedRange<Int>, exponents: ClosedRange<Int128>)] = [
        (1...3, -5...5), (1...17, -25...25), (15...20, -25...25), (1...40, -60...60), (1...25, -345...320),
    ]

    @Test(
        "The double and float of a random spelling are those that Swift parses", arguments: SeededGenerator.seeds,
        kinds.indices)
    func respelled(seed: UInt64, kind: Int) throws {
        let kind = JSONNumberDoubleTests.kinds[kind]
        var random = SeededGenerator(seed)
        for _ in 0..<1_000 {
            let value = RandomSpelling(&random, digits: kind.digits, exponents: kind.exponents)
            if let fault = try JSONNumberDoubleTests.fault(value.spelling(&random)) {
                Issue.record("\(fault), seed \(seed)")
            }
        }
    }

    @Test(
        "The shortest and the 17-digit spelling of every bit pattern parse back to it",
        arguments: SeededGenerator.seeds)
    func bitPatterns(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<800 {
            // Every fourth value is subnormal.
            let bits = round % 4 == 0 ? random.next() & 0x800F_FFFF_FFFF_FFFF : random.next()
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            let number = try #require(JSONNumber(value))
            #expect(number.double?.bitPattern == bits, "\(value), seed \(seed)")
            let fault = try JSONNumberDoubleTests.fault(number.spelling)
            #expect(fault == nil, "seed \(seed)")
            let single = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 16))
            if single.isFinite { #expect(JSONNumber(single)?.float?.bitPattern == single.bitPattern) }
        }
    }

    @Test("What is known as the spelling of a double is it", arguments: SeededGenerator.seeds, kinds.indices)
    func knownDescription(seed: UInt64, kind: Int) throws {
        let kind = JSONNumberDoubleTests.kinds[kind]
        var random = SeededGenerator(seed)
        for _ in 0..<1_000 {
            let value = RandomSpelling(&random, digits: kind.digits, exponents: kind.exponents)
            let spelling = value.spelling(&random)
            let number = try #require(JSONNumber(spelling: spelling))
            guard let double = Double(spelling), double.isFinite else { continue }
            let description = try #require(JSONNumber(double)).spelling
            if number.isKnownDescription(of: double) { #expect(spelling == description) }
            #expect(!number.isKnownDescription(of: double.nextUp) && !number.isKnownDescription(of: -double))
            let shortest = try #require(JSONNumber(spelling: description))
            let isPlain = double.magnitude >= 0.001 && description.count <= 16 && !description.contains("e")
            if isPlain { #expect(shortest.isKnownDescription(of: double), "\(description)") }
        }
        #expect(JSONNumber(0.0).isKnownDescription(of: 0.0))
        #expect(JSONNumber(-0.0).isKnownDescription(of: -0.0))
        #expect(!JSONNumber(-0.0).isKnownDescription(of: 0.0))
    }

    @Test(
        "A spelling halfway between two doubles rounds to the even one, all others to the nearer one",
        arguments: SeededGenerator.seeds)
    func halfway(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<300 {
            let mantissa = UInt64.random(in: 1 << 52..<1 << 53, using: &random)
            let shift = random.below(60)
            let middle = UInt128(2 * mantissa + 1) << (shift + 1)
            let (below, above) = (Double(sign: .plus, exponent: shift + 2, significand: Double(mantissa)), mantissa + 1)
            let next = Double(sign: .plus, exponent: shift + 2, significand: Double(above))
            let nearest = mantissa.isMultiple(of: 2) ? below : next
            let places = random.pick(["", ".0", "e0", ".000000000000000000000e+0"])
            #expect(JSONNumber(spelling: "\(middle)" + places)?.double == nearest, "seed \(seed)")
            #expect(JSONNumber(spelling: "\(middle - 1)" + places)?.double == below, "seed \(seed)")
            #expect(JSONNumber(spelling: "\(middle + 1)" + places)?.double == next, "seed \(seed)")
            let least = String(repeating: "0", count: 80) + "1"
            #expect(JSONNumber(spelling: "\(middle).\(least)")?.double == next, "seed \(seed)")
        }
    }

    @Test("Spellings around 2⁵³ and 10²² are exact in the fast and in the general conversion")
    func limitsOfFastConversion() throws {
        let sizes: [UInt64] = [1, 3, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, 1 << 53 + 2, 999_999_999_999_999_999]
        for size in sizes {
            for power in -26...26 {
                for sign in ["", "-"] {
                    let spelling = "\(sign)\(size)e\(power)"
                    let fault = try JSONNumberDoubleTests.fault(spelling)
                    #expect(fault == nil)
                }
            }
        }
    }

    @Test("A number beyond the range of Double is nil, a smaller one than its least value is a signed zero")
    func limitsOfRange() {
        func bits(_ spelling: String) -> UInt64? { JSONNumber(spelling: spelling)?.double?.bitPattern }
        for spelling in ["1e309", "-1e309", "1.8e308", "1e400", "1e999999999", "1e99999999999999999999", "-10e308"] {
            #expect(JSONNumber(spelling: spelling) != nil && bits(spelling) == nil, "\(spelling)")
        }
        #expect(bits("1.7976931348623157e308") == Double.greatestFiniteMagnitude.bitPattern)
        #expect(bits("1.7976931348623158079e308") == Double.greatestFiniteMagnitude.bitPattern)
        #expect(bits("1.797693134862315808e308") == nil)
        #expect(bits("5e-324") == Double.leastNonzeroMagnitude.bitPattern && bits("3e-324") == 1)
        #expect(bits("2e-324") == 0 && bits("1e-400") == 0 && bits("1e-99999999999999999999") == 0)
        #expect(bits("-1e-400") == (-0.0).bitPattern && bits("-0") == (-0.0).bitPattern)
        #expect(
            bits("-0.0e5") == (-0.0).bitPattern && bits("0e999999999") == 0
                && bits("-0e99999999999999999999") == 1 << 63)
        #expect(JSONNumber(Double.nan) == nil && JSONNumber(-Double.infinity) == nil && JSONNumber(Float.nan) == nil)
        #expect(JSONNumber(-0.0).spelling == "-0.0")
    }

    @Test("A Float is rounded once and not converted from a Double")
    func floats() {
        // Slightly more than 1 + 2⁻²⁴, which is halfway between two Floats: rounded to Double first, it rounds down.
        let spelling = "1.00000005960464477539062500000000001"
        #expect(JSONNumber(spelling: spelling)?.double.map { Float($0) } == 1)
        #expect(JSONNumber(spelling: spelling)?.float == Float(1).nextUp)
        #expect(JSONNumber(spelling: "3.5e38")?.float == nil && JSONNumber(spelling: "3.4028235e38")?.float != nil)
        #expect(JSONNumber(spelling: "-1e-60")?.float?.bitPattern == (-Float(0)).bitPattern)
    }

    @Test("All digits of a spelling of ten thousand digits count")
    func manyDigits() {
        let middle = "9007199254740993." + String(repeating: "0", count: 10_000)
        #expect(JSONNumber(spelling: middle)?.double == 9_007_199_254_740_992)
        #expect(JSONNumber(spelling: middle + "1")?.double == 9_007_199_254_740_994)
    }
}
