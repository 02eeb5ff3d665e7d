/// A JSON number as it was spelled, of any size and precision.
///
/// Equality is by exact decimal value, so `1.0 == 1` and `1e3 == 1000`, while 2⁶⁴−1 and its neighbours stay apart. The
/// views as Swift's numbers are exact or say no; only ``double``, whose users expect rounding, gives the nearest value.
public struct JSONNumber: Sendable {
    let text: Text

    init(text: Text) { self.text = text }

    /// A whole number of any size.
    public init(_ integer: some FixedWidthInteger) { text = Text(String(integer)) }

    /// The shortest spelling that reads back as `double`; nil for infinities and for what is not a number.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        text = Text(double.description)
    }

    /// The shortest spelling that reads back as `float`; nil for infinities and for what is not a number.
    public init?(_ float: Float) {
        guard float.isFinite else { return nil }
        text = Text(float.description)
    }

    /// A number in the spelling of RFC 8259, kept as it is; nil if it is not one.
    public init?(spelling: String) {
        var spelling = spelling
        let text: Text? = spelling.withUTF8 { bytes in
            guard Scanner.isNumber(bytes) else { return nil }
            return Text(bytes)
        }
        guard let text else { return nil }
        self.init(text: text)
    }

    /// The number as it was spelled.
    public var spelling: String { text.string }

    /// The number as an `Int`, if it is a whole number that fits.
    public var int: Int? { integer() }

    /// The number as a `UInt64`, if it is a whole number that fits.
    public var uint64: UInt64? { integer() }

    /// The number as an integer of any width, if it is a whole number that fits: `1e3` and `8080.0` do.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        text.withStoredBytes { DecimalSpelling($0).integer() }
    }

    /// The nearest `Double`; nil only when the number is outside its range.
    public var double: Double? {
        if let value = text.withStoredBytes({ DecimalSpelling($0).exactDouble }) { return value }
        guard let value = Double(spelling), value.isFinite else { return nil }
        return value
    }

    /// The nearest `Float`; nil only when the number is outside its range.
    public var float: Float? {
        guard let value = Float(spelling), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Hashable {
    /// Whether two numbers have the same decimal value, exactly.
    public static func == (a: JSONNumber, b: JSONNumber) -> Bool {
        if Text.sameBytes(a.text, b.text) { return true }
        return a.text.withStoredBytes { left in
            b.text.withStoredBytes { right in DecimalValue(left) == DecimalValue(right) }
        }
    }

    /// Feeds the decimal value to a hasher.
    @inline(never)  // whoever walks down a tree would have its variables on the stack at every level
    public func hash(into hasher: inout Hasher) {
        text.withStoredBytes { DecimalValue($0).hash(into: &hasher) }
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, CustomStringConvertible {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number with a fraction or an exponent. A literal beyond the range of `Double` traps.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("\(value) is not a JSON number") }
        self = number
    }

    /// The number as it was spelled.
    public var description: String { spelling }
}
