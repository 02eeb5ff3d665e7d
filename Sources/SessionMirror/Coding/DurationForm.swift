internal import LosslessJSON

/// The two forms of a duration in a file: text with units such as `"1h30m"`, and a number of seconds.
///
/// Both are exact: a value that is no whole number of attoseconds, the resolution of `Duration`, is rejected.
enum DurationForm {
    /// A unit is `factor` × 10ᵉˣᵖᵒⁿᵉⁿᵗ attoseconds.
    private struct Unit {
        /// The first name is written, all are read.
        let names: [String]
        var factor: UInt128 = 1
        var exponent = 18

        var attoseconds: UInt128 { (0..<exponent).reduce(factor) { size, _ in size * 10 } }
    }

    /// The units that are written without a fraction, the largest first.
    private static let longUnits = [
        Unit(names: ["d"], factor: 86_400), Unit(names: ["h"], factor: 3_600), Unit(names: ["m"], factor: 60),
    ]
    /// The micro sign and the Greek letter look the same.
    private static let shortUnits = [
        Unit(names: ["s"]), Unit(names: ["ms"], exponent: 15),
        Unit(names: ["us", "\u{B5}s", "\u{3BC}s"], exponent: 12), Unit(names: ["ns"], exponent: 9),
    ]
    private static let units = longUnits + shortUnits

    /// Parses a text of units in descending order, each at most once, the last of which may have a fraction; nil for
    /// other text.
    static func duration(of text: String) -> Duration? {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var (sum, allowed): (UInt128, ArraySlice<Unit>) = (0, units[...])
        repeat {
            let amount = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
            let name = rest[amount.endIndex...].prefix { !isDigit($0) }
            rest = rest[name.endIndex...]
            guard let index = allowed.firstIndex(where: { $0.names.contains(String(Substring(name))) }),
                rest.isEmpty || !amount.contains(UInt8(ascii: ".")),
                let addend = attoseconds(String(Substring(amount)), allowed[index])
            else { return nil }
            let (total, isTooLong) = sum.addingReportingOverflow(addend)
            if isTooLong { return nil }
            (sum, allowed) = (total, allowed[(index + 1)...])
        } while !rest.isEmpty
        let limit = isNegative ? Int128.min.magnitude : Int128.max.magnitude
        guard sum <= limit else { return nil }
        return Duration(attoseconds: Int128(truncatingIfNeeded: isNegative ? 0 &- sum : sum))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// JSON has no leading zeros, but `1h05m` does.
    private static func attoseconds(_ amount: String, _ unit: Unit) -> UInt128? {
        guard let first = amount.utf8.first, isDigit(first) else { return nil }
        let digits = amount.drop { $0 == "0" }
        let spelling = digits.utf8.first.map(isDigit) == true ? String(digits) : "0\(digits)"
        let number = JSONNumber(spelling: "\(spelling)e\(unit.exponent)")?.integer(as: UInt128.self)
        guard let (value, isTooLong) = number?.multipliedReportingOverflow(by: unit.factor) else { return nil }
        return isTooLong ? nil : value
    }

    /// Converts a number of seconds; nil if it is out of range or finer than an attosecond.
    static func duration(ofSeconds seconds: JSONNumber) -> Duration? {
        let parts = seconds.spelling.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        let (scaled, isTooLarge) = exponent.addingReportingOverflow(18)
        if isTooLarge { return nil }
        return JSONNumber(spelling: "\(parts[0])e\(scaled)")?.integer(as: Int128.self).map(Duration.init(attoseconds:))
    }

    /// Returns days, hours and minutes, then the rest in the largest unit of which it is at least one: `1h30m`,
    /// `1m2.5s`, `250ms`, `0s`.
    static func text(of duration: Duration) -> String {
        var rest = duration.attoseconds.magnitude
        var text = duration < .zero ? "-" : ""
        for unit in longUnits where rest >= unit.attoseconds {
            text += "\(rest / unit.attoseconds)\(unit.names[0])"
            rest %= unit.attoseconds
        }
        if rest > 0, let unit = shortUnits.first(where: { rest >= $0.attoseconds }) ?? shortUnits.last {
            text += decimal(rest, exponent: unit.exponent) + unit.names[0]
        }
        return text.isEmpty ? "0s" : text
    }

    /// Returns the exact number of seconds.
    static func seconds(of duration: Duration) -> JSON? {
        let digits = decimal(duration.attoseconds.magnitude, exponent: 18)
        return JSONNumber(spelling: duration < .zero ? "-\(digits)" : digits).map { .number($0) }
    }

    /// Returns `value` divided by 10ᵉˣᵖᵒⁿᵉⁿᵗ, without trailing zeros.
    private static func decimal(_ value: UInt128, exponent: Int) -> String {
        let digits = String(value)
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        var fraction = padded.suffix(exponent)
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? String(padded.dropLast(exponent)) : "\(padded.dropLast(exponent)).\(fraction)"
    }
}

extension JSON {
    /// Returns the value as a number of seconds if it is the text of a duration and replaces `before`, the text of the
    /// duration that the file has as the number `found`; nil otherwise.
    ///
    /// Encoded values do not tell their types. A string of the type cannot be mistaken, because its file has a string,
    /// and a number encodes as a number. A type that reads other numbers, such as milliseconds, and writes text can,
    /// if both agree on the old value, as they do on 0. So the caller checks what the result decodes to.
    func asSeconds(replacing before: JSON, found: JSON?) -> JSON? {
        guard let found = found?.number, let old = before.string, let new = string,
            let oldDuration = DurationForm.duration(of: old), oldDuration == DurationForm.duration(ofSeconds: found)
        else { return nil }
        return DurationForm.duration(of: new).flatMap(DurationForm.seconds)
    }
}
