import TripDomain

/// One generated trip: numbers that stand for the texts of an export.
struct SyntheticTrip: Sendable, Hashable {
    /// How the station is written.
    enum StationForm: UInt8, Sendable {
        case plain, lowerCase, blank, unknown
    }

    /// How the trip ended; the raw value is its place in lists of words.
    enum Status: Int, Sendable {
        case completed, cancelled, dryRun, noShow, other
    }

    /// What the rules are meant to find.
    enum Truth: Int, Sendable, CaseIterable {
        case undetermined, vaFleet, contract, noncontractVendor, communityCare
    }

    /// A number that is not there.
    static let none = -1
    /// An amount that is not known.
    static let blankAmount = Int.min

    /// The number behind `SYN-`.
    var number = 0
    var stationIndex = 0
    var stationForm = StationForm.plain
    /// The region the export names.
    var regionIndex = 0
    /// The local day and minute of the pick-up, and the clock's offset in minutes.
    var day: Int32 = 0
    var minute = 0
    var offsetMinutes = 0
    /// Written in UTC with `Z`.
    var isInstant = false
    /// The provider whose number is given, as an entry of ``ExportTexts/identifiers``.
    var identifier = none
    /// The name, as an entry of ``ExportTexts/names``.
    var name = none
    /// The vehicle, as an entry of ``ExportTexts/units``.
    var unit = none
    var contract = none
    var code = none
    /// Origin and destination, as an entry of ``ExportTexts/journeys``.
    var journey = none
    /// A further modifier, as an entry of ``ExportTexts/qualifiers``.
    var qualifier = none
    /// Hundredths of a loaded mile.
    var miles = none
    var patient = 0
    var billedCents = blankAmount
    var paidCents = blankAmount
    var status = Status.completed
    /// Money is written with a dollar sign and commas.
    var hasDollarSigns = false
    /// Blanks are written as `NULL` or `NA`.
    var hasNullWords = false
    /// Text is padded with spaces, and amounts lose a last zero.
    var isPadded = false
    var truth = Truth.undetermined

    /// The month of the pick-up on the facility's calendar.
    var month: Month { CivilDate(dayNumber: day).month }
}
