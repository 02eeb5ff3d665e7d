/// A number modulo the prime 2⁶¹ − 1.
struct Residue: Equatable, Sendable {
    private static let modulus: UInt64 = 1 << 61 - 1

    let value: UInt64

    init(_ bits: UInt64) { value = bits % Residue.modulus }

    /// `number` is less than twice the modulus.
    private init(reducing number: UInt64) { value = number < Residue.modulus ? number : number - Residue.modulus }

    static func + (a: Residue, b: Residue) -> Residue { Residue(reducing: a.value + b.value) }

    static func - (a: Residue, b: Residue) -> Residue { Residue(reducing: a.value + modulus - b.value) }

    static func * (a: Residue, b: Residue) -> Residue {
        let (high, low) = a.value.multipliedFullWidth(by: b.value)
        // 2⁶¹ is 1, so that the bits from the 61st on are added to those below.
        return Residue(reducing: (low & modulus) + (high << 3 | low >> 61))
    }

    func power(_ exponent: Int) -> Residue {
        var (result, square, rest) = (Residue(1), self, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result = result * square }
            square = square * square
            rest >>= 1
        }
        return result
    }
}
