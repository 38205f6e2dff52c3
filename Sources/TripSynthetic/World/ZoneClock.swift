import TripDomain

/// The clock of a US time zone since 2007, computed by the rule of the law instead of a zone file,
/// so that generated exports are the same bytes on every machine.
///
/// Daylight time runs from 02:00 local standard time on the second Sunday of March to 02:00 local
/// daylight time on the first Sunday of November (Energy Policy Act of 2005, in force since 2007).
struct ZoneClock: Sendable, Hashable {
    /// The first year in which the rule is in force.
    static let firstYear = 2007

    /// The IANA name.
    let name: String
    /// Minutes east of UTC in standard time.
    let standardMinutes: Int
    /// Whether the zone has daylight time.
    let hasDaylightTime: Bool

    /// The offset of a clock at a local time.
    enum Moment: Sendable, Hashable {
        /// One offset, in minutes east of UTC.
        case plain(Int)
        /// An hour that does not exist; the offset is that of the hour after it.
        case skipped(Int)
        /// An hour that occurs twice: with the first offset, then with the second.
        case repeated(Int, Int)
    }

    /// Finds a zone of the station table.
    init?(shortName: String) {
        guard let zone = Self.zones[shortName] else { return nil }
        self = zone
    }

    private init(_ name: String, _ standardMinutes: Int, _ hasDaylightTime: Bool) {
        self.name = name
        self.standardMinutes = standardMinutes
        self.hasDaylightTime = hasDaylightTime
    }

    /// The offset of the clock at a local day and minute of the day.
    func moment(dayNumber: Int32, minute: Int) -> Moment {
        guard hasDaylightTime else { return .plain(standardMinutes) }
        let year = CivilDate(dayNumber: dayNumber).parts.year
        let spring = Self.sunday(2, ofMonth: 3, year: year)
        let autumn = Self.sunday(1, ofMonth: 11, year: year)
        let daylight = standardMinutes + 60
        if dayNumber == spring, (120..<180).contains(minute) { return .skipped(daylight) }
        if dayNumber == autumn, (60..<120).contains(minute) {
            return .repeated(daylight, standardMinutes)
        }
        let isAfterSpring = dayNumber > spring || (dayNumber == spring && minute >= 180)
        let isBeforeAutumn = dayNumber < autumn || (dayNumber == autumn && minute < 60)
        return .plain(isAfterSpring && isBeforeAutumn ? daylight : standardMinutes)
    }

    /// The day of the *n*-th Sunday of a month.
    static func sunday(_ number: Int, ofMonth month: Int, year: Int) -> Int32 {
        let first = Month(year: year, month: month).firstDay.dayNumber
        // 1970-01-01 was a Thursday: day numbers with the remainder 3 modulo 7 are Sundays.
        let untilSunday = (3 - first % 7 + 7) % 7
        return first + untilSunday + Int32(number - 1) * 7
    }

    private static let zones: [String: ZoneClock] = [
        "eastern": ZoneClock("America/New_York", -300, true),
        "detroit": ZoneClock("America/Detroit", -300, true),
        "indianapolis": ZoneClock("America/Indiana/Indianapolis", -300, true),
        "louisville": ZoneClock("America/Kentucky/Louisville", -300, true),
        "central": ZoneClock("America/Chicago", -360, true),
        "menominee": ZoneClock("America/Menominee", -360, true),
        "mountain": ZoneClock("America/Denver", -420, true),
        "boise": ZoneClock("America/Boise", -420, true),
        "arizona": ZoneClock("America/Phoenix", -420, false),
        "pacific": ZoneClock("America/Los_Angeles", -480, true),
        "alaska": ZoneClock("America/Anchorage", -540, true),
        "hawaii": ZoneClock("Pacific/Honolulu", -600, false),
        "puerto_rico": ZoneClock("America/Puerto_Rico", -240, false),
        "manila": ZoneClock("Asia/Manila", 480, false),
    ]
}
