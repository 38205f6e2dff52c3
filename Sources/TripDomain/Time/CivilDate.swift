/// A day on the proleptic Gregorian calendar, as days since 1970-01-01.
///
/// - Complexity: every conversion is O(1), without tables.
/// - SeeAlso: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
public struct CivilDate: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01; negative before it.
    public let dayNumber: Int32

    /// Makes a date from its count of days since 1970-01-01.
    public init(dayNumber: Int32) {
        self.dayNumber = dayNumber
    }

    /// Makes a date from its calendar parts, or nil where no such day exists.
    ///
    /// - Parameters:
    ///   - year: 0 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the month's last day.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.lastDay(year: year, month: month)
        else { return nil }
        // March-based years put the leap day last, so that month lengths follow one formula.
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// Reads `YYYY-MM-DD`, and nothing else.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = Self.digits(bytes, 0..<4), let month = Self.digits(bytes, 5..<7),
            let day = Self.digits(bytes, 8..<10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month (1 to 12) and day of the month (1 to 31).
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = Int(dayNumber) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The month the day falls in.
    public var month: Month {
        let (year, month, _) = parts
        return Month(year: year, month: month)
    }

    /// `YYYY-MM-DD`.
    public var text: String {
        String(upTo: String.smallSize, write)
    }

    /// Writes the date: ten bytes, up to 14 where the year is beyond 9999 or below 0.
    func write(_ writer: inout ByteWriter) {
        let (year, month, day) = parts
        writer.put(decimal: year, width: 4)
        writer.put(0x2D)
        writer.put(decimal: month, width: 2)
        writer.put(0x2D)
        writer.put(decimal: day, width: 2)
    }

    /// The number of days in a month.
    ///
    /// - Precondition: `month` is 1 to 12.
    public static func lastDay(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Orders dates by day.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.dayNumber < right.dayNumber
    }

    static func digits(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        var value = 0
        for byte in bytes[range] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}

/// Seconds since 1970-01-01 00:00:00 on some clock: a facility's own, or UTC.
public enum CivilTime {
    /// Seconds in a day; leap seconds do not occur on these clocks.
    public static let daySeconds: Int64 = 86_400

    /// The day a local time stamp falls on.
    ///
    /// A time stamp beyond the range of ``CivilDate`` gives the first or the last date of it.
    public static func date(ofSeconds seconds: Int64) -> CivilDate {
        CivilDate(dayNumber: Int32(clamping: floorDivide(seconds, daySeconds)))
    }

    /// `YYYY-MM-DD HH:MM:SS`.
    ///
    /// A time beyond the range of ``CivilDate`` is printed with the first or the last date of it.
    public static func text(ofSeconds seconds: Int64) -> String {
        let date = date(ofSeconds: seconds)
        let rest = Int(seconds % daySeconds)
        let second = rest < 0 ? rest + Int(daySeconds) : rest
        let clockSize = 9
        return String(upTo: String.smallSize + clockSize) { writer in
            date.write(&writer)
            writer.put(0x20)
            writer.put(decimal: second / 3600, width: 2)
            writer.put(0x3A)
            writer.put(decimal: second / 60 % 60, width: 2)
            writer.put(0x3A)
            writer.put(decimal: second % 60, width: 2)
        }
    }

    /// Integer division that rounds towards negative infinity.
    public static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
