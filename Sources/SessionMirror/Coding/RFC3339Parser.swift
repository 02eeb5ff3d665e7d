/// Parses a date in RFC 3339 format.
///
/// As in the standard, accepts `t`, `z`, a space between day and time, and the second 60 where a leap second is
/// possible.
/// `Date` has no leap seconds, so that is the first second of the next day.
struct RFC3339Parser {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// Returns the seconds since 2001 in UTC, and nanoseconds; nil if the text is not a valid date.
    mutating func read() -> (seconds: Int, nanoseconds: Int)? {
        guard let day = readDay(), consume("Tt "), let time = readTime(), let fraction = readFraction(),
            let offset = readOffset(), rest.isEmpty
        else { return nil }
        let second = day.daysSince2001 * CalendarDay.seconds + time.seconds - offset
        let mayFollowLeapSecond = second.dividedDown(by: CalendarDay.seconds).remainder == 0
        return time.isLeapSecond && !mayFollowLeapSecond ? nil : (second, fraction)
    }

    private mutating func readDay() -> CalendarDay? {
        guard let year = readNumber(digits: 4), consume("-"), let month = readNumber(digits: 2), consume("-"),
            let day = readNumber(digits: 2)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    private mutating func readTime() -> (seconds: Int, isLeapSecond: Bool)? {
        guard let minutes = readMinutes(), consume(":"), let second = readNumber(digits: 2), second <= 60 else {
            return nil
        }
        return (minutes * 60 + second, second == 60)
    }

    /// Parses hours and minutes; returns minutes.
    private mutating func readMinutes() -> Int? {
        guard let hour = readNumber(digits: 2), hour < 24, consume(":"), let minute = readNumber(digits: 2),
            minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Returns nanoseconds, and ignores further digits.
    private mutating func readFraction() -> Int? {
        guard consume(".") else { return 0 }
        let digits = rest.prefix { $0.isDigit }
        rest = rest.dropFirst(digits.count)
        if digits.isEmpty { return nil }
        var nanoseconds = 0
        for index in 0..<9 {
            let digit = digits.dropFirst(index).first ?? UInt8(ascii: "0")
            nanoseconds = nanoseconds * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return nanoseconds
    }

    /// Returns seconds, positive east of Greenwich.
    private mutating func readOffset() -> Int? {
        if consume("Zz") { return 0 }
        let isNegative = rest.first == UInt8(ascii: "-")
        guard consume("+-"), let minutes = readMinutes() else { return nil }
        return (isNegative ? -60 : 60) * minutes
    }

    private mutating func readNumber(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Consumes the next character if it is one of `characters`.
    private mutating func consume(_ characters: StaticString) -> Bool {
        guard let next = rest.first, characters.withUTF8Buffer({ $0.contains(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
