/// The normal form of a number: digits that neither start nor end with 0, times a power of ten.
///
/// Two spellings denote the same number exactly if their normal forms are equal. No power is ever expanded:
/// `1e999999999` is one digit.
struct DecimalValue: Hashable {
    let isNegative: Bool
    let digits: Digits
    let exponent: Exponent

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(DecimalSpelling(bytes)) }

    init(_ spelling: DecimalSpelling) {
        let all = Digits(whole: spelling.whole, fraction: spelling.fraction)
        let (digits, dropped) = all.trimmed()
        guard !digits.isEmpty else {
            (isNegative, self.digits, exponent) = (false, digits, Exponent(0))  // -0 and 0e9 are 0
            return
        }
        isNegative = spelling.isNegative
        self.digits = digits
        exponent = Exponent(spelling.exponent).adding(dropped - spelling.fraction.count)
    }

    var isZero: Bool { digits.isEmpty }
}

/// The digits of a number on both sides of its decimal point.
struct Digits: Hashable {
    private let whole: UnsafeBufferPointer<UInt8>.SubSequence
    private let fraction: UnsafeBufferPointer<UInt8>.SubSequence

    init(whole: UnsafeBufferPointer<UInt8>.SubSequence, fraction: UnsafeBufferPointer<UInt8>.SubSequence) {
        (self.whole, self.fraction) = (whole, fraction)
    }

    var count: Int { whole.count + fraction.count }
    var isEmpty: Bool { count == 0 }

    /// Returns the digits without leading and trailing zeros, and the number of trailing zeros removed.
    func trimmed() -> (Digits, dropped: Int) {
        let zero = UInt8(ascii: "0")
        let wholeStart = whole.drop { $0 == zero }
        let fractionStart = wholeStart.isEmpty ? fraction.drop { $0 == zero } : fraction
        let fractionEnd = fractionStart.lastIndex { $0 != zero }.map { fractionStart[...$0] } ?? fractionStart.prefix(0)
        guard fractionEnd.isEmpty else {
            return (Digits(whole: wholeStart, fraction: fractionEnd), fraction.endIndex - fractionEnd.endIndex)
        }
        let wholeEnd = wholeStart.lastIndex { $0 != zero }.map { wholeStart[...$0] } ?? wholeStart.prefix(0)
        let dropped = fraction.count + wholeStart.count - wholeEnd.count
        return (Digits(whole: wholeEnd, fraction: fractionEnd), dropped)
    }

    func reduceWhileFits<Integer: FixedWidthInteger>(_ isNegative: Bool) -> Integer? {
        var result: Integer = 0
        for part in [whole, fraction] {
            for digit in part {
                guard let next = DecimalSpelling.appending(digit - UInt8(ascii: "0"), to: result, isNegative) else {
                    return nil
                }
                result = next
            }
        }
        return result
    }

    static func == (a: Digits, b: Digits) -> Bool {
        guard a.count == b.count else { return false }
        if a.whole.count == b.whole.count {
            return a.whole.elementsEqual(b.whole) && a.fraction.elementsEqual(b.fraction)
        }
        return [a.whole, a.fraction].joined().elementsEqual([b.whole, b.fraction].joined())
    }

    func hash(into hasher: inout Hasher) {
        for part in [whole, fraction] {
            for digit in part { hasher.combine(digit) }
        }
    }
}

/// A power of ten of any size: the exponent of `1e99999999999999999999` does not fit in an `Int`.
enum Exponent: Hashable {
    case small(Int)
    /// Decimal digits, most significant first, without leading zeros. Never used for a value that fits `small`.
    case large(isNegative: Bool, [UInt8])

    /// An exponent beyond this is `large`, however it was computed.
    private static let smallLimit = 1_000_000_000_000_000_000

    init(_ value: Int) { self = .small(value) }

    /// Parses the digits after an `e`, with their sign.
    init(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let hasSign = isNegative || bytes.first == UInt8(ascii: "+")
        let digits = bytes.dropFirst(hasSign ? 1 : 0).drop { $0 == UInt8(ascii: "0") }.map { $0 - UInt8(ascii: "0") }
        self.init(isNegative, digits)
    }

    private init(_ isNegative: Bool, _ digits: [UInt8]) {
        guard digits.count <= 18 else {
            self = .large(isNegative: isNegative, digits)
            return
        }
        let size = digits.reduce(0) { $0 * 10 + Int($1) }
        self = .small(isNegative ? -size : size)
    }

    var small: Int? { if case .small(let value) = self { value } else { nil } }

    /// `delta` is at most the length of a text.
    func adding(_ delta: Int) -> Exponent {
        switch self {
        case .small(let value):
            let sum = value + delta
            if abs(sum) < Exponent.smallLimit { return .small(sum) }
            return .large(isNegative: sum < 0, String(abs(sum)).utf8.map { $0 - UInt8(ascii: "0") })
        case .large(let isNegative, let digits):
            return Exponent(isNegative, Exponent.sum(digits, isNegative ? -delta : delta))
        }
    }

    /// `digits` plus `delta`, whose magnitude is smaller, so that the sign cannot change.
    private static func sum(_ digits: [UInt8], _ delta: Int) -> [UInt8] {
        var (result, carry) = (digits, delta)
        for index in result.indices.reversed() where carry != 0 {
            let sum = Int(result[index]) + carry
            let digit = ((sum % 10) + 10) % 10
            result[index] = UInt8(digit)
            carry = (sum - digit) / 10
        }
        while carry > 0 {
            result.insert(UInt8(carry % 10), at: 0)
            carry /= 10
        }
        return Array(result.drop { $0 == 0 })
    }
}
