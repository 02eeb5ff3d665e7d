import LosslessJSON

/// The exact sum of two decimal numbers: 0.1 + 0.2 = 0.3.
struct DecimalSum {
    let number: JSONNumber

    /// The maximum number of digits.
    private static let limit = 10_000

    /// Digits and the number of decimal places: 12.50 is 1250 with two places.
    private struct Decimal {
        var isNegative: Bool
        /// The last digit first.
        var digits: [UInt8]
        var places: Int

        init?(_ spelling: String) {
            let parts = spelling.lowercased().split(separator: "e", maxSplits: 1)
            guard let exponent = parts.count == 2 ? Int(parts[1]) : 0, exponent.magnitude < DecimalSum.limit else {
                return nil
            }
            isNegative = spelling.hasPrefix("-")
            let text = parts[0].drop { $0 == "-" }
            let fraction = text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
            digits = text.utf8.reversed().filter { $0 != UInt8(ascii: ".") }.map { $0 - UInt8(ascii: "0") }
            places = fraction - exponent
            if digits.count > DecimalSum.limit { return nil }
            if places < 0 { widen(to: 0) }
        }

        mutating func widen(to wanted: Int) {
            digits.insert(contentsOf: repeatElement(0, count: wanted - places), at: 0)
            places = wanted
        }
    }

    /// Returns nil if the sum would have too many digits.
    init?(_ a: String, _ b: String) {
        guard var a = Decimal(a), var b = Decimal(b) else { return nil }
        let places = max(a.places, b.places)
        a.widen(to: places)
        b.widen(to: places)
        let spelling = DecimalSum.spelling(
            a.isNegative == b.isNegative ? DecimalSum.sum(a, b) : DecimalSum.difference(a, b))
        guard let number = JSONNumber(spelling: spelling) else { return nil }
        self.number = number
    }

    private static func sum(_ a: Decimal, _ b: Decimal) -> Decimal {
        var result = a
        var carry: UInt8 = 0
        result.digits = (0...max(a.digits.count, b.digits.count)).map { place in
            let sum = digit(a, place) + digit(b, place) + carry
            carry = sum / 10
            return sum % 10
        }
        return result
    }

    /// The sum of two numbers with different signs.
    private static func difference(_ a: Decimal, _ b: Decimal) -> Decimal {
        let (large, small) = isSmaller(a, b) ? (b, a) : (a, b)
        var result = large
        var borrowed: UInt8 = 0
        result.digits = large.digits.indices.map { place in
            let taken = digit(small, place) + borrowed
            borrowed = digit(large, place) < taken ? 1 : 0
            return digit(large, place) + borrowed * 10 - taken
        }
        return result
    }

    private static func isSmaller(_ a: Decimal, _ b: Decimal) -> Bool {
        for place in (0..<max(a.digits.count, b.digits.count)).reversed() where digit(a, place) != digit(b, place) {
            return digit(a, place) < digit(b, place)
        }
        return false
    }

    private static func digit(_ number: Decimal, _ place: Int) -> UInt8 {
        place < number.digits.count ? number.digits[place] : 0
    }

    private static func spelling(_ number: Decimal) -> String {
        var digits = number.digits
        while digits.count <= number.places { digits.append(0) }
        while digits.count > number.places + 1, digits.last == 0 { digits.removeLast() }
        var text = digits.reversed().map { String($0) }
        if number.places > 0 { text.insert(".", at: text.count - number.places) }
        let isZero = digits.allSatisfy { $0 == 0 }
        return (number.isNegative && !isZero ? "-" : "") + text.joined()
    }
}
