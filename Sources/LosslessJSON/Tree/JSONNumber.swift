/// A JSON number with its spelling, of any size and precision.
///
/// Equality is by exact decimal value: `1.0 == 1` and `1e3 == 1000`, while 2⁶⁴−1 and its neighbors differ. Conversions
/// to Swift's integers are exact or nil; only ``double`` and ``float`` round to the nearest value.
public struct JSONNumber: Sendable {
    let text: Text

    init(text: Text) { self.text = text }

    /// A whole number of any size.
    public init(_ integer: some FixedWidthInteger) {
        text = Int(exactly: integer).flatMap(ShortText.init(digitsOf:)).map(Text.short) ?? Text(String(integer))
    }

    /// Creates the shortest spelling that reads back as `double`; nil for infinities and NaN.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        text = Text(double.description)
    }

    /// Creates the shortest spelling that reads back as `float`; nil for infinities and NaN.
    public init?(_ float: Float) {
        guard float.isFinite else { return nil }
        text = Text(float.description)
    }

    /// Creates a number from a spelling in the syntax of RFC 8259, which is kept; nil if it is not one.
    public init?(spelling: String) {
        var spelling = spelling
        let text: Text? = spelling.withUTF8 { bytes in
            guard Scanner.isNumber(bytes) else { return nil }
            return Text(bytes)
        }
        guard let text else { return nil }
        self.init(text: text)
    }

    /// The number as spelled.
    public var spelling: String { text.string }

    /// The number as an `Int`, if it is a whole number that fits.
    public var int: Int? { integer() }

    /// The number as a `UInt64`, if it is a whole number that fits.
    public var uint64: UInt64? { integer() }

    /// The number as an integer of any width, if it is a whole number that fits: `1e3` and `8080.0` do.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        text.withStoredBytes { DecimalSpelling($0).integer() }
    }

    /// The nearest `Double`; nil if the number is out of range.
    public var double: Double? {
        let exact = text.withStoredBytes { DecimalSpelling.short($0)?.double ?? DecimalSpelling($0).exactDouble }
        if let exact { return exact }
        guard let value = Double(spelling), value.isFinite else { return nil }
        return value
    }

    /// Whether this is the spelling of `double` by ``init(_:)``, as far as that can be told without spelling it: of zero, and
    /// from 0.001 on.
    ///
    /// Two decimal numbers of this size with at most 15 digits are never the same double, so that the shortest spelling of
    /// such a double is the only one without superfluous zeros. It has no exponent, and a digit after the point.
    func isKnownDescription(of double: Double) -> Bool {
        text.withStoredBytes { bytes in
            guard let short = DecimalSpelling.short(bytes), short.fractionDigits > 0,
                short.fractionDigits == 1 || bytes.last != UInt8(ascii: "0"),
                double.magnitude >= 0.001 || double == 0
            else { return false }
            return short.double.bitPattern == double.bitPattern
        }
    }

    /// The nearest `Float`; nil if the number is out of range.
    public var float: Float? {
        guard let value = Float(spelling), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Hashable {
    /// Whether two numbers have exactly the same decimal value.
    public static func == (a: JSONNumber, b: JSONNumber) -> Bool {
        if Text.sameBytes(a.text, b.text) { return true }
        return a.text.withStoredBytes { left in
            b.text.withStoredBytes { right in
                // The bytes differ.
                if DecimalSpelling.isUnique(left), DecimalSpelling.isUnique(right) { return false }
                return DecimalValue(left) == DecimalValue(right)
            }
        }
    }

    /// Hashes the decimal value.
    @inline(never)  // inlined, its variables would occupy the stack at every level of a recursion
    public func hash(into hasher: inout Hasher) {
        text.withStoredBytes { DecimalValue($0).hash(into: &hasher) }
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, CustomStringConvertible {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number with a fraction or an exponent. Traps for a literal beyond the range of `Double`.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("\(value) is not a JSON number") }
        self = number
    }

    /// The number as spelled.
    public var description: String { spelling }
}
