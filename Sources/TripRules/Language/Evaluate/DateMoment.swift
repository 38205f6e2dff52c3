/// A moment as SQLite's date functions keep it while they work on it: a Julian day number in
/// milliseconds, or calendar parts, or both, whichever are valid.
///
/// The parts may be out of range for a while: `2025-01-31` plus a month is 31 February until it is
/// turned into a day number, which makes it 3 March. The steps are SQLite's own for that reason.
struct DateMoment {
    static let dayMilliseconds: Int64 = 86_400_000
    private static let halfDay: Int64 = 43_200_000
    /// The last millisecond of the year 9999.
    private static let lastJulian: Int64 = 464_269_060_799_999
    /// The Julian day of 1970-01-01, in seconds.
    private static let unixEpochSeconds: Int64 = 210_866_760_000

    /// The Julian day number times 86,400,000.
    private(set) var julian: Int64 = 0
    private(set) var year = 2000
    private(set) var month = 1
    private(set) var day = 1
    private(set) var hour = 0
    private(set) var minute = 0
    private(set) var second = 0.0
    /// The time zone of the text, in minutes east of UTC.
    private var zone = 0
    private var hasJulian = false
    private var hasDate = false
    private var hasClock = false
    private var hasZone = false

    /// A moment given by its Julian day number; nil outside the years SQLite knows.
    init?(julianDay: Double) {
        guard julianDay >= 0, julianDay < 5_373_484.5 else { return nil }
        julian = Int64(julianDay * 86_400_000.0 + 0.5)
        hasJulian = true
    }

    /// A moment given by its parts, some of which may be missing.
    init(date: (year: Int, month: Int, day: Int)?, clock: DateReading.Clock?) {
        if let date {
            (year, month, day) = date
            hasDate = true
        }
        if let clock {
            hour = clock.hour
            minute = clock.minute
            second = clock.second
            zone = clock.zone
            hasClock = true
            hasZone = clock.zone != 0
        }
    }

    /// Whether the moment lies within the years that SQLite writes.
    var isInRange: Bool { julian >= 0 && julian <= Self.lastJulian }

    /// Makes the Julian day number valid; false where the year cannot be counted.
    mutating func computeJulian() -> Bool {
        if hasJulian { return true }
        var (year, month, day) = hasDate ? (self.year, self.month, self.day) : (2000, 1, 1)
        guard year >= -4713, year <= 9999 else { return false }
        if month <= 2 {
            year -= 1
            month += 12
        }
        let century = year / 100
        let leapShift = 2 - century + century / 4
        let yearDays = 36525 * (year + 4716) / 100
        let monthDays = 306_001 * (month + 1) / 10_000
        day += yearDays + monthDays + leapShift
        julian = Int64((Double(day) - 1524.5) * 86_400_000)
        hasJulian = true
        if hasClock {
            julian += Int64(hour) * 3_600_000 + Int64(minute) * 60_000
            julian += Int64(second * 1000 + 0.5)
            if hasZone {
                julian -= Int64(zone) * 60_000
                invalidateParts()
            }
        }
        return true
    }

    /// Makes year, month and day valid; false outside the years that SQLite writes.
    mutating func computeDate() -> Bool {
        if hasDate { return true }
        if !hasJulian {
            (year, month, day) = (2000, 1, 1)
        } else {
            guard isInRange else { return false }
            let dayNumber = Int((julian + Self.halfDay) / Self.dayMilliseconds)
            var alpha = Int((Double(dayNumber) - 1_867_216.25) / 36524.25)
            alpha = dayNumber + 1 + alpha - alpha / 4
            let shifted = alpha + 1524
            let yearNumber = Int((Double(shifted) - 122.1) / 365.25)
            let yearDays = 36525 * (yearNumber & 32767) / 100
            let monthNumber = Int(Double(shifted - yearDays) / 30.6001)
            day = shifted - yearDays - Int(30.6001 * Double(monthNumber))
            month = monthNumber < 14 ? monthNumber - 1 : monthNumber - 13
            year = month > 2 ? yearNumber - 4716 : yearNumber - 4715
        }
        hasDate = true
        return true
    }

    /// Makes hour, minute and second valid; false where the year cannot be counted.
    mutating func computeClock() -> Bool {
        if hasClock { return true }
        guard computeJulian() else { return false }
        let ofDay = Int((julian + Self.halfDay) % Self.dayMilliseconds)
        let seconds = Double(ofDay) / 1000.0
        let whole = Int(seconds)
        hour = whole / 3600
        minute = whole % 3600 / 60
        second = seconds - Double(whole) + Double(whole % 60)
        hasClock = true
        return true
    }

    /// Makes all parts valid.
    mutating func computeParts() -> Bool {
        computeDate() && computeClock()
    }

    /// Marks the calendar parts as invalid, because the Julian day number is about to change.
    private mutating func invalidateParts() {
        hasDate = false
        hasClock = false
        hasZone = false
    }

    /// Adds milliseconds.
    mutating func add(milliseconds: Int64) -> Bool {
        guard computeJulian() else { return false }
        // Many large steps may wrap around; SQLite then has no date either, or the same one.
        julian &+= milliseconds
        invalidateParts()
        return true
    }

    /// Adds calendar months; the day of the month stays and may run over into the next month.
    mutating func add(months: Int) -> Bool {
        guard computeJulian(), computeParts() else { return false }
        month += months
        let years = month > 0 ? (month - 1) / 12 : (month - 12) / 12
        year += years
        month -= years * 12
        return settleAfterParts()
    }

    /// Adds calendar years; 29 February becomes 1 March where the year has none.
    mutating func add(years: Int) -> Bool {
        guard computeJulian(), computeParts() else { return false }
        year += years
        return settleAfterParts()
    }

    private mutating func settleAfterParts() -> Bool {
        hasJulian = false
        guard computeJulian() else { return false }
        invalidateParts()
        return true
    }

    /// Moves back to the start of the day, month or year.
    mutating func moveToStart(of unit: DateModifier.Unit) -> Bool {
        guard computeDate() else { return false }
        hasClock = true
        (hour, minute, second) = (0, 0, 0)
        hasZone = false
        hasJulian = false
        if unit != .day { day = 1 }
        if unit == .year { month = 1 }
        return true
    }

    /// Moves on to a day of the week, 0 being Sunday; stays where it already is that day.
    mutating func moveToWeekday(_ weekday: Int) -> Bool {
        guard computeParts() else { return false }
        hasZone = false
        hasJulian = false
        guard computeJulian() else { return false }
        var current = (julian + 129_600_000) / Self.dayMilliseconds % 7
        if current > weekday { current -= 7 }
        julian += (Int64(weekday) - current) * Self.dayMilliseconds
        invalidateParts()
        return true
    }

    /// The day of the year, from 0.
    var dayOfYear: Int {
        var start = self
        start.hasJulian = false
        (start.month, start.day) = (1, 1)
        guard start.computeJulian() else { return 0 }
        return Int((julian - start.julian + Self.halfDay) / Self.dayMilliseconds)
    }

    /// The day of the week, 0 being Sunday.
    var weekday: Int { Int((julian + 129_600_000) / Self.dayMilliseconds % 7) }

    /// The day of the week, 0 being Monday.
    var weekdayFromMonday: Int { Int((julian + Self.halfDay) / Self.dayMilliseconds % 7) }

    /// Seconds since 1970-01-01 00:00:00.
    var unixSeconds: Int64 { julian / 1000 - Self.unixEpochSeconds }
}

/// One modifier of a date function, such as `+1 month`.
enum DateModifier: Sendable, Hashable {
    /// A part of the calendar.
    enum Unit: String, Sendable, CaseIterable {
        case second, minute, hour, day, month, year

        /// SQLite refuses counts at or beyond this limit, which it keeps as a C float.
        fileprivate var limit: Float {
            switch self {
            case .second: 4.6427e+14
            case .minute: 7.7379e+12
            case .hour: 1.2897e+11
            case .day: 5_373_485
            case .month: 176_546
            case .year: 14_713
            }
        }

        /// The length in seconds of the units that have a fixed one.
        fileprivate var seconds: Double {
            switch self {
            case .second: 1
            case .minute: 60
            case .hour: 3600
            case .day, .month, .year: 86_400
            }
        }
    }

    /// `start of month`, `start of year`, `start of day`.
    case startOf(Unit)
    /// `weekday N`, 0 being Sunday.
    case weekday(Int)
    /// `+N days` and the like.
    case add(Int64, Unit)

    /// Reads a modifier as written in a rule; nil where it is not supported.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 3 where words[0] == "start" && words[1] == "of":
            guard let unit = Unit(rawValue: String(words[2])),
                unit == .day || unit == .month || unit == .year
            else { return nil }
            self = .startOf(unit)
        case 2 where words[0] == "weekday":
            guard words[1].utf8.count == 1, let day = Int(words[1]), day < 7 else { return nil }
            self = .weekday(day)
        case 2:
            var name = words[1]
            if name.hasSuffix("s") { name = name.dropLast() }
            guard words[0].utf8.count <= 16, let count = Int64(words[0]),
                let unit = Unit(rawValue: String(name)), Double(abs(count)) < Double(unit.limit)
            else { return nil }
            self = .add(count, unit)
        default: return nil
        }
    }

    /// Applies the step.
    ///
    /// - Parameter moment: What is moved.
    /// - Returns: Whether the result can still be counted.
    func apply(to moment: inout DateMoment) -> Bool {
        switch self {
        case .startOf(let unit): moment.moveToStart(of: unit)
        case .weekday(let day): moment.moveToWeekday(day)
        case .add(let count, .month): moment.add(months: Int(count))
        case .add(let count, .year): moment.add(years: Int(count))
        case .add(let count, let unit):
            // In doubles, as SQLite does it: only counts beyond all calendars round at all.
            moment.add(
                milliseconds: Int64(
                    Double(count) * 1000.0 * unit.seconds + (count < 0 ? -0.5 : 0.5)
                )
            )
        }
    }
}
