/// Reads a date as RFC 3339 spells it, from left to right.
///
/// As there, `t`, `z` and a space between day and time are read too, and the second 60 is, where a leap second can be:
/// it is the first second of the day after, since `Date` has no other.
struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// Seconds since 2001 in UTC, and nanoseconds; nil if it is no date.
    mutating func read() -> (seconds: Int, nanoseconds: Int)? {
        guard let day = readDay(), readMark("Tt "), let time = readTime(), let fraction = readFraction(),
            let offset = readOffset(), rest.isEmpty
        else { return nil }
        let second = day.daysSince2001 * CalendarDay.seconds + time.seconds - offset
        let mayFollowLeapSecond = second.dividedDown(by: CalendarDay.seconds).remainder == 0
        return time.isLeapSecond && !mayFollowLeapSecond ? nil : (second, fraction)
    }

    private mutating func readDay() -> CalendarDay? {
        guard let year = readNumber(digits: 4), readMark("-"), let month = readNumber(digits: 2), readMark("-"),
            let day = readNumber(digits: 2)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    private mutating func readTime() -> (seconds: Int, isLeapSecond: Bool)? {
        guard let minutes = readMinutes(), readMark(":"), let second = readNumber(digits: 2), second <= 60 else {
            return nil
        }
        return (minutes * 60 + second, second == 60)
    }

    /// Hours and minutes, as minutes.
    private mutating func readMinutes() -> Int? {
        guard let hour = readNumber(digits: 2), hour < 24, readMark(":"), let minute = readNumber(digits: 2),
            minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// In nanoseconds; digits beyond those are read and dropped.
    private mutating func readFraction() -> Int? {
        guard readMark(".") else { return 0 }
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

    /// In seconds; east of Greenwich is positive.
    private mutating func readOffset() -> Int? {
        if readMark("Zz") { return 0 }
        let isNegative = rest.first == UInt8(ascii: "-")
        guard readMark("+-"), let minutes = readMinutes() else { return nil }
        return (isNegative ? -60 : 60) * minutes
    }

    private mutating func readNumber(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Whether one of `marks` is next, which is then behind.
    private mutating func readMark(_ marks: StaticString) -> Bool {
        guard let next = rest.first, marks.withUTF8Buffer({ $0.contains(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
