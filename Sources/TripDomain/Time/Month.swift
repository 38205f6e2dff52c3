/// A calendar month: the time grain of every KPI.
public struct Month: Sendable, Hashable, Comparable {
    /// Months since January of year 0; December 2026 is 24,323.
    public let monthNumber: Int32

    /// Makes a month from its count of months since January of year 0.
    public init(monthNumber: Int32) {
        self.monthNumber = monthNumber
    }

    /// Makes a month from its year and its number within the year, 1 to 12.
    public init(year: Int, month: Int) {
        monthNumber = Int32(year * 12 + month - 1)
    }

    /// Reads `YYYY-MM`, and nothing else.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[4] == 0x2D, let year = CivilDate.digits(bytes, 0..<4),
            let month = CivilDate.digits(bytes, 5..<7), (1...12).contains(month)
        else { return nil }
        self.init(year: year, month: month)
    }

    /// `YYYY-MM`.
    public var text: String {
        String(upTo: String.smallSize) { writer in
            writer.put(decimal: year, width: 4)
            writer.put(0x2D)
            writer.put(decimal: month, width: 2)
        }
    }

    /// The calendar year.
    public var year: Int { Int(monthNumber) / 12 }

    /// The month within the year, 1 to 12.
    public var month: Int { Int(monthNumber) % 12 + 1 }

    /// The month that the US federal fiscal year begins with: October.
    public static let federalYearStart = 10

    /// The US federal fiscal year the month belongs to.
    public var fiscalYear: Int { fiscalYear(from: Self.federalYearStart) }

    /// The fiscal year the month belongs to, named for the calendar year it ends in.
    ///
    /// - Parameter start: The month that fiscal years begin with, from 1.
    /// - Returns: The year; the calendar year where fiscal years begin in January.
    public func fiscalYear(from start: Int) -> Int {
        start > 1 && month >= start ? year + 1 : year
    }

    /// The month's first day.
    public var firstDay: CivilDate {
        guard let day = CivilDate(year: year, month: month, day: 1) else {
            preconditionFailure("a month lies within the years 0 to 9999")
        }
        return day
    }

    /// The month's last day.
    public var lastDay: CivilDate {
        CivilDate(
            dayNumber: firstDay.dayNumber
                + Int32(CivilDate.lastDay(year: year, month: month) - 1)
        )
    }

    /// Orders months by time.
    public static func < (left: Month, right: Month) -> Bool {
        left.monthNumber < right.monthNumber
    }
}
