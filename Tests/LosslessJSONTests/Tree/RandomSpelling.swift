import TestSupport

/// A decimal number and its random spellings.
struct RandomSpelling {
    var isNegative: Bool
    /// At least one digit; the number is these digits times a power of ten.
    var digits: String
    var exponent: Int128

    init(_ digits: String, exponent: Int128 = 0, isNegative: Bool = false) {
        (self.digits, self.exponent, self.isNegative) = (digits, exponent, isNegative)
    }

    init(_ random: inout SeededGenerator, digits count: ClosedRange<Int>, exponents: ClosedRange<Int128>) {
        let first = random.pick(Array("123456789"))
        let rest = (1..<Int.random(in: count, using: &random)).map { _ in random.pick(Array("0001234567899")) }
        self.init(
            String([first] + rest), exponent: Int128.random(in: exponents, using: &random),
            isNegative: random.chance(40))
    }

    /// A random spelling: the decimal point anywhere, zeros added on both sides, the exponent adjusted.
    func spelling(_ random: inout SeededGenerator) -> String {
        let added = random.chance(50) ? 0 : random.below(25)
        let all = digits + String(repeating: "0", count: added)
        let point = random.below(all.count + 8) - 7
        let (whole, fraction): (String, String)
        if point <= 0 {
            (whole, fraction) = ("0", String(repeating: "0", count: -point) + all)
        } else {
            (whole, fraction) = (String(all.prefix(point)), String(all.dropFirst(point)))
        }
        let size = (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
        return size + tail(exponent - Int128(added) + Int128(fraction.count), &random)
    }

    private func tail(_ power: Int128, _ random: inout SeededGenerator) -> String {
        if power == 0 && random.chance(60) { return "" }
        let sign = power < 0 ? "-" : random.pick(["", "+"])
        let zeros = String(repeating: "0", count: random.pick([0, 0, 1, 20]))
        return random.pick(["e", "E"]) + sign + zeros + String(power.magnitude)
    }

    /// A different number close to this one.
    func neighbor(_ random: inout SeededGenerator) -> RandomSpelling {
        var other = self
        switch random.below(4) {
        case 0: other.isNegative.toggle()
        case 1: other.exponent += random.pick([-1, 1])
        case 2: (other.digits, other.exponent) = (digits + "1", exponent - 1)
        default:
            var all = Array(digits)
            let place = random.below(all.count)
            all[place] = all[place] == "5" ? "6" : "5"
            other.digits = String(all)
        }
        return other
    }
}
