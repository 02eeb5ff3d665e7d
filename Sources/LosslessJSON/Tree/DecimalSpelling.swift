/// The parts of a number's spelling: sign, digits before and after the decimal point, exponent.
///
/// The bytes must be a number that the scanner has accepted.
struct DecimalSpelling {
    let isNegative: Bool
    let whole: UnsafeBufferPointer<UInt8>.SubSequence
    let fraction: UnsafeBufferPointer<UInt8>.SubSequence
    /// With its sign, without the `e`; empty if there is none.
    let exponent: UnsafeBufferPointer<UInt8>.SubSequence

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let mantissaEnd = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? bytes.endIndex
        let point = bytes[..<mantissaEnd].firstIndex(of: UInt8(ascii: ".")) ?? mantissaEnd
        whole = bytes[start..<point]
        fraction = bytes[min(point + 1, mantissaEnd)..<mantissaEnd]
        exponent = bytes[min(mantissaEnd + 1, bytes.endIndex)...]
    }

    /// Whether no other spelling of this kind denotes the same number: a whole number in digits alone, other than -0.
    static func isUnique(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "-") else { return bytes.allSatisfy(isDigit) }
        return bytes.dropFirst().allSatisfy(isDigit) && bytes[1] != UInt8(ascii: "0")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The value, if it is a whole number that fits.
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        if fraction.isEmpty && exponent.isEmpty { return Self.accumulate(0, whole, isNegative) }
        let value = DecimalValue(self)
        guard !value.isZero else { return 0 }
        guard let zeros = value.exponent.small, (0..<Integer.bitWidth).contains(zeros) else { return nil }
        guard var result: Integer = value.digits.reduceWhileFits(isNegative) else { return nil }
        for _ in 0..<zeros {
            guard let next = Self.appending(0, to: result, isNegative) else { return nil }
            result = next
        }
        return result
    }

    private static func accumulate<Integer: FixedWidthInteger>(
        _ start: Integer, _ digits: some Sequence<UInt8>, _ isNegative: Bool
    ) -> Integer? {
        var result = start
        for digit in digits {
            guard let next = appending(digit - UInt8(ascii: "0"), to: result, isNegative) else { return nil }
            result = next
        }
        return result
    }

    @inline(__always)
    static func appending<Integer: FixedWidthInteger>(_ digit: UInt8, to value: Integer, _ isNegative: Bool) -> Integer?
    {
        // A narrow type may be unable to represent ten.
        guard let ten = Integer(exactly: 10), let digit = Integer(exactly: digit) else { return nil }
        let (tenfold, overflow) = value.multipliedReportingOverflow(by: ten)
        let (result, carry) =
            isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
        return overflow || carry ? nil : result
    }

    /// The value, if one exact multiplication or division yields it: at most 2⁵³ times or divided by at most 10²².
    var exactDouble: Double? {
        guard whole.count + fraction.count <= 18, exponent.count <= 3 else { return nil }
        var mantissa: UInt64 = 0
        for digit in whole { mantissa = mantissa &* 10 &+ UInt64(digit &- UInt8(ascii: "0")) }
        for digit in fraction { mantissa = mantissa &* 10 &+ UInt64(digit &- UInt8(ascii: "0")) }
        guard mantissa <= 1 << 53 else { return nil }
        let power = (exponent.isEmpty ? 0 : Exponent(exponent).small ?? 0) - fraction.count
        guard abs(power) < Self.powersOfTen.count else { return nil }
        return Self.double(mantissa, power, isNegative)
    }

    /// The value of a number without an exponent that has at most 15 digits, as most have, and the number of its digits
    /// after the point; nil for any other. Found in one pass.
    static func short(_ bytes: UnsafeBufferPointer<UInt8>) -> (double: Double, fractionDigits: Int)? {
        // With a sign and a point.
        guard bytes.count <= 17 else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        var (mantissa, digits, fractionDigits): (UInt64, Int, Int) = (0, 0, 0)
        for byte in bytes[(isNegative ? 1 : 0)...] {
            if byte == UInt8(ascii: ".") {
                // Until the other digits are counted, too: there is one before the point.
                fractionDigits = -digits
                continue
            }
            guard isDigit(byte) else { return nil }
            mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            digits &+= 1
        }
        guard digits <= 15 else { return nil }
        if fractionDigits != 0 { fractionDigits += digits }
        return (double(mantissa, -fractionDigits, isNegative), fractionDigits)
    }

    /// At most 2⁵³ times or divided by at most 10²². Both operands are exact, and the processor rounds once, correctly.
    @inline(__always)
    private static func double(_ mantissa: UInt64, _ power: Int, _ isNegative: Bool) -> Double {
        let size = Double(mantissa)
        let value = power < 0 ? size / powersOfTen[-power] : size * powersOfTen[power]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
