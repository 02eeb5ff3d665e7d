internal import FoundationEssentials

/// The RFC 3339 format of dates: `2026-01-31T12:00:00.25Z`, `2026-01-31T13:00:00+01:00`.
enum RFC3339 {
    private static let nanosecondsPerSecond = 1_000_000_000

    /// Formats a date with the fewest fractional digits that identify it, nine at most; nil for a date outside the
    /// years 0 to 9999.
    static func text(of date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        guard abs(interval) < 1e12 else { return nil }
        var unit = nanosecondsPerSecond
        var text: String?
        for digits in 0...9 {
            let (seconds, nanoseconds) = split(interval, unit: unit)
            text = format(seconds, nanoseconds / unit, digits: digits)
            if self.date(seconds, nanoseconds) == date { break }
            unit /= 10
        }
        return text
    }

    /// The time since 2001, rounded to a multiple of `unit` nanoseconds.
    private static func split(_ interval: Double, unit: Int) -> (seconds: Int, nanoseconds: Int) {
        let seconds = interval.rounded(.down)
        let unitsPerSecond = Double(nanosecondsPerSecond / unit)
        let units = ((interval - seconds) * unitsPerSecond).rounded()
        return units < unitsPerSecond ? (Int(seconds), Int(units) * unit) : (Int(seconds) + 1, 0)
    }

    private static func format(_ seconds: Int, _ fraction: Int, digits: Int) -> String? {
        let clock = seconds.dividedDown(by: CalendarDay.seconds)
        guard let day = CalendarDay(daysSince2001: clock.quotient) else { return nil }
        let time = [clock.remainder / 3_600, clock.remainder / 60 % 60, clock.remainder % 60]
        let date = [day.year.padded(to: 4), day.month.padded(to: 2), day.day.padded(to: 2)].joined(separator: "-")
        let fractionText = digits == 0 ? "" : "." + fraction.padded(to: digits)
        return date + "T" + time.map { $0.padded(to: 2) }.joined(separator: ":") + fractionText + "Z"
    }

    /// Parses a date; nil for an invalid date, such as the 30th of February.
    static func date(from text: String) -> Date? {
        var reader = RFC3339Parser(text)
        guard let (seconds, nanoseconds) = reader.read() else { return nil }
        return date(seconds, nanoseconds)
    }

    private static func date(_ seconds: Int, _ nanoseconds: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / Double(nanosecondsPerSecond))
    }
}

extension Int {
    /// Floor division: the remainder is never negative.
    func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
