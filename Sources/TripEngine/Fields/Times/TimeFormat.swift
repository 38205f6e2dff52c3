import TripDomain

/// How a date or time stamp is written, such as `iso8601` or `M/d/yyyy H:mm`.
///
/// The letters are those of Unicode TS 35 that exports use: `yyyy yy M MM MMM d dd H HH h hh m mm
/// s ss S a Z`; text in single quotes and punctuation are literal. `Z` reads an offset: `Z`,
/// `+00:00`, `-0500` or `+05`. `S` reads any number of fractional digits, which are dropped.
public struct TimeFormat: Sendable, Hashable {
    /// One part of a format.
    enum Part: Sendable, Hashable {
        case year4, year2, month, monthName, day, hour24, hour12, minute, second, fraction
        case dayHalf, offset
        case literal(UInt8)
    }

    /// The clock a time stamp is written for.
    public enum Clock: Sendable, Hashable {
        /// No offset is written: a local time.
        case local
        /// A non-zero offset from UTC, in seconds: a local time on that clock.
        case offset(Int32)
        /// `Z` or a zero offset: an instant, whose local time follows from the facility's zone.
        case instant
    }

    /// A time stamp as written.
    public struct Reading: Sendable, Hashable {
        /// Seconds since 1970-01-01 on the clock the text was written for.
        public let seconds: Int64
        /// That clock.
        public let clock: Clock
    }

    /// The format as written.
    public let text: String
    let parts: [Part]
    /// Whether a text in this format can hold the time of the day.
    public let readsTime: Bool

    /// The name of the ISO 8601 profile: `YYYY-MM-DD`, for time stamps followed by `T` or a space,
    /// `HH:MM`, optional seconds with fraction, and an optional offset.
    public static let iso8601Name = "iso8601"

    /// Reads a format.
    ///
    /// - Throws: ``PatternFault`` naming the letter that has no meaning in a format, or the part
    ///   that stands where it cannot be meant.
    public init(_ text: String) throws(PatternFault) {
        self.text = text
        guard text != Self.iso8601Name else {
            parts = []
            readsTime = true
            return
        }
        parts = try FormatText.parts(of: text)
        readsTime = parts.contains(.hour24) || parts.contains(.hour12)
    }

    /// Reads one text; nil where it is not written this way or names no real day or time.
    ///
    /// - Parameters:
    ///   - text: The bytes of one cell, trimmed.
    ///   - needsTime: Whether a day alone is not enough.
    /// - Returns: The time stamp; nil where the text does not have this format.
    public func read(_ text: UnsafeBufferPointer<UInt8>, needsTime: Bool) -> Reading? {
        if parts.isEmpty { return ISO8601.read(text, needsTime: needsTime) }
        guard readsTime || !needsTime else { return nil }
        var cursor = TimeCursor(text)
        for part in parts {
            guard cursor.read(part) else { return nil }
        }
        return cursor.isAtEnd ? cursor.reading : nil
    }

    /// Reads a time of day alone: `6:51`, `06:51` or `06:51:33`.
    ///
    /// - Parameter text: The bytes, trimmed.
    /// - Returns: Seconds since midnight; nil for any other text.
    static func secondsOfDay(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let colon = Part.literal(UInt8(ascii: ":"))
        var cursor = TimeCursor(text)
        guard cursor.read(.hour24), cursor.read(colon), cursor.read(.minute) else { return nil }
        if !cursor.isAtEnd {
            guard cursor.read(colon), cursor.read(.second), cursor.isAtEnd else { return nil }
        }
        return cursor.secondsOfDay
    }

    /// Whether it reads a day alone, where a field needs no time.
    public var readsDays: Bool { parts.isEmpty || !readsTime }

    /// The format of its day alone, such as `M/d/yyyy` of `M/d/yyyy H:mm`; nil where the time does
    /// not stand behind the day.
    public var day: String? {
        guard readsTime, let end = text.firstIndex(where: { "Hh".contains($0) }) else { return nil }
        let day = text[..<end].reversed().drop { " T',".contains($0) }.reversed()
        // What stands before the hour need not be a format; then there is none to name.
        guard let format = try? TimeFormat(String(day)), format.readsWholeDays else { return nil }
        return format.text
    }

    private var readsWholeDays: Bool {
        let hasYear = parts.contains(.year4) || parts.contains(.year2)
        let hasMonth = parts.contains(.month) || parts.contains(.monthName)
        return hasYear && hasMonth && parts.contains(.day)
    }

    /// The part that a run of one letter stands for; nil for none.
    static func part(letter: UInt8, count: Int) -> Part? {
        switch (UnicodeScalar(letter), count) {
        case ("y", 4): .year4
        case ("y", 2): .year2
        case ("M", 1...2): .month
        case ("M", 3): .monthName
        case ("d", 1...2): .day
        case ("H", 1...2): .hour24
        case ("h", 1...2): .hour12
        case ("m", 1...2): .minute
        case ("s", 1...2): .second
        case ("S", _): .fraction
        case ("a", 1): .dayHalf
        case ("Z", 1): .offset
        default: nil
        }
    }
}

/// Reads a written time part by part.
private struct TimeCursor {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var year = 0
    private var month = 0
    private var day = 0
    private var hour = 0
    private var minute = 0
    private var second = 0
    private var isAfternoon: Bool?
    private var clock = TimeFormat.Clock.local

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    var isAtEnd: Bool { position == text.count }

    var reading: TimeFormat.Reading? {
        guard let seconds = secondsOfDay,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return TimeFormat.Reading(
            seconds: Int64(date.dayNumber) * CivilTime.daySeconds + seconds,
            clock: clock
        )
    }

    /// Seconds since midnight; nil where the clock shows no such time.
    var secondsOfDay: Int64? {
        var hour24 = hour
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour24 = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour24 < 24, minute < 60, second < 60 else { return nil }
        return Int64(hour24 * 3600 + minute * 60 + second)
    }

    mutating func read(_ part: TimeFormat.Part) -> Bool {
        switch part {
        case .year4: return Self.set(&year, digits(4, 4))
        // POSIX: 69 to 99 are years of the 20th century.
        case .year2: return Self.set(&year, digits(2, 2).map { $0 + ($0 >= 69 ? 1900 : 2000) })
        case .month: return Self.set(&month, digits(1, 2))
        case .monthName: return readMonthName()
        case .day: return Self.set(&day, digits(1, 2))
        case .hour24, .hour12: return Self.set(&hour, digits(1, 2))
        case .minute: return Self.set(&minute, digits(2, 2))
        case .second: return Self.set(&second, digits(2, 2))
        case .fraction: return digits(1, 9) != nil
        case .dayHalf: return readDayHalf()
        case .offset: return readOffset()
        case .literal(let byte):
            guard position < text.count, text[position] == byte else { return false }
            position += 1
            return true
        }
    }

    @inline(__always)
    private static func set(_ part: inout Int, _ value: Int?) -> Bool {
        guard let value else { return false }
        part = value
        return true
    }

    private mutating func digits(_ least: Int, _ most: Int) -> Int? {
        var count = 0
        var value = 0
        while position < text.count, count < most, text[position] &- 0x30 <= 9 {
            value = value * 10 + Int(text[position] - 0x30)
            position += 1
            count += 1
        }
        return count >= least ? value : nil
    }

    private mutating func readMonthName() -> Bool {
        let names =
            ["jan", "feb", "mar", "apr", "may", "jun"]
            + ["jul", "aug", "sep", "oct", "nov", "dec"]
        guard position + 3 <= text.count else { return false }
        let found = text[position..<(position + 3)].map { $0 | 0x20 }
        guard let index = names.firstIndex(where: { Array($0.utf8) == found }) else { return false }
        month = index + 1
        position += 3
        return true
    }

    private mutating func readDayHalf() -> Bool {
        guard position + 2 <= text.count, text[position + 1] | 0x20 == 0x6D else { return false }
        switch text[position] | 0x20 {
        case 0x61: isAfternoon = false
        case 0x70: isAfternoon = true
        default: return false
        }
        position += 2
        return true
    }

    private mutating func readOffset() -> Bool {
        let rest = UnsafeBufferPointer(rebasing: text[position...])
        guard let (offset, size) = ISO8601.offset(rest) else { return false }
        clock = offset == 0 ? .instant : .offset(offset)
        position += size
        return true
    }
}
