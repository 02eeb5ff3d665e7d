/// A day of the proleptic Gregorian calendar, in the years 0 to 9999.
struct CalendarDay {
    static let seconds = 86_400

    let year: Int
    let month: Int
    let day: Int

    /// nil for a day that does not exist.
    init?(year: Int, month: Int, day: Int) {
        guard 0...9_999 ~= year, 1...12 ~= month, 1...Self.lengths(of: year)[month - 1] ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// nil for a day outside the years 0 to 9999.
    init?(daysSince2001 days: Int) {
        // Estimates the year by the mean length of years, then corrects the estimate.
        var year = 2_001 + Int((Double(days) / 365.2425).rounded(.down))
        while days < Self.daysSince2001(of: year) { year -= 1 }
        while days >= Self.daysSince2001(of: year + 1) { year += 1 }
        guard 0...9_999 ~= year else { return nil }
        var rest = days - Self.daysSince2001(of: year)
        var month = 1
        for length in Self.lengths(of: year) {
            if rest < length { break }
            rest -= length
            month += 1
        }
        (self.year, self.month, day) = (year, month, rest + 1)
    }

    var daysSince2001: Int {
        Self.daysSince2001(of: year) + Self.lengths(of: year).prefix(month - 1).reduce(0, +) + day - 1
    }

    /// The number of the first day of a year.
    private static func daysSince2001(of year: Int) -> Int {
        let years = year - 2_001
        // Counted from 2001, each fourth year ends with a leap day, each hundredth does not, each four-hundredth does.
        let leapDays =
            years.dividedDown(by: 4).quotient - years.dividedDown(by: 100).quotient
            + years.dividedDown(by: 400).quotient
        return years * 365 + leapDays
    }

    private static func lengths(of year: Int) -> [Int] {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }
}
