import Testing

@testable import LosslessJSON

@Suite("Floating-point views of numbers")
struct JSONNumberDoubleTests {
    /// What differs from Swift's own reading of the spelling.
    static func fault(_ spelling: String) throws -> String? {
        let number = try #require(JSONNumber(spelling: spelling), "\(spelling)")
        let double = Double(spelling).flatMap { $0.isFinite ? $0 : nil }
        if number.double?.bitPattern != double?.bitPattern { return "\(spelling) is \(number.double ?? .nan)" }
        let float = Float(spelling).flatMap { $0.isFinite ? $0 : nil }
        return number.float?.bitPattern == float?.bitPattern ? nil : "\(spelling) as Float is \(number.float ?? .nan)"
    }

    /// How many digits a number has, and which power of ten they are taken times.
    static let kinds: [(digits: ClosedRange<Int>, exponents: ClosedRange<Int128>)] = [
        (1...3, -5...5), (1...17, -25...25), (15...20, -25...25), (1...40, -60...60), (1...25, -345...320),
    ]

    @Test("the nearest value, as Swift reads the spelling itself", arguments: Seeded.seeds, kinds.indices)
    func respelled(seed: UInt64, kind: Int) throws {
        let kind = JSONNumberDoubleTests.kinds[kind]
        var random = Seeded(seed)
        for _ in 0..<1_000 {
            let value = Respelling(&random, digits: kind.digits, exponents: kind.exponents)
            if let fault = try JSONNumberDoubleTests.fault(value.spelling(&random)) {
                Issue.record("\(fault), seed \(seed)")
            }
        }
    }

    @Test(
        "of every bit pattern the shortest spelling, and that with seventeen digits, reads back",
        arguments: Seeded.seeds)
    func bitPatterns(seed: UInt64) throws {
        var random = Seeded(seed)
        for round in 0..<800 {
            // every fourth is subnormal
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

    @Test("halfway between two doubles the even one, and beside halfway the nearer one", arguments: Seeded.seeds)
    func halfway(seed: UInt64) throws {
        var random = Seeded(seed)
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

    @Test("around 2⁵³ and around 10²² every spelling is right, whichever way it is worked out")
    func edgesOfTheExactWay() throws {
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

    @Test("outside the range of Double there is none, below it there is zero, which keeps its sign")
    func edgesOfTheRange() {
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

    @Test("a Float is rounded once, not by way of Double")
    func floats() {
        // 1 + 2⁻²⁴, halfway between two Floats, and a little more: Double drops the little, and halfway goes down
        let spelling = "1.00000005960464477539062500000000001"
        #expect(JSONNumber(spelling: spelling)?.double.map { Float($0) } == 1)
        #expect(JSONNumber(spelling: spelling)?.float == Float(1).nextUp)
        #expect(JSONNumber(spelling: "3.5e38")?.float == nil && JSONNumber(spelling: "3.4028235e38")?.float != nil)
        #expect(JSONNumber(spelling: "-1e-60")?.float?.bitPattern == (-Float(0)).bitPattern)
    }

    @Test("a spelling of ten thousand digits is read to its last")
    func manyDigits() {
        let middle = "9007199254740993." + String(repeating: "0", count: 10_000)
        #expect(JSONNumber(spelling: middle)?.double == 9_007_199_254_740_992)
        #expect(JSONNumber(spelling: middle + "1")?.double == 9_007_199_254_740_994)
    }
}
