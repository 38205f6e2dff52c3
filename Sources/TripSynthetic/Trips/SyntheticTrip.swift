import TripDomain

/// One generated trip; its texts are kept as indexes in ``ExportTexts``.
struct SyntheticTrip: Sendable, Hashable {
    /// How the station is written.
    enum StationForm: UInt8, Sendable {
        case plain, lowerCase, blank, unknown
    }

    /// How the trip ended; the raw value is the index in lists of words.
    enum Status: Int, Sendable {
        case completed, cancelled, dryRun, noShow, other
    }

    /// The basis that the rules are meant to find.
    enum Truth: Int, Sendable, CaseIterable {
        case undetermined, vaFleet, contract, noncontractVendor, communityCare
    }

    /// The value of an index that is missing.
    static let none = -1
    /// The value of an amount that is not known.
    static let blankAmount = Int.min

    /// The number after `SYN-`.
    var number = 0
    var stationIndex = 0
    var stationForm = StationForm.plain
    /// The region the export names.
    var regionIndex = 0
    /// The local day and minute of the pick-up, and the clock's offset in minutes.
    var day: Int32 = 0
    var minute = 0
    var offsetMinutes = 0
    /// Whether the time is written in UTC with `Z`.
    var isInstant = false
    /// The provider's number, as an index in ``ExportTexts/identifiers``.
    var identifier = none
    /// The name, as an index in ``ExportTexts/names``.
    var name = none
    /// The vehicle, as an index in ``ExportTexts/units``.
    var unit = none
    var contract = none
    var code = none
    /// Origin and destination, as an index in ``ExportTexts/journeys``.
    var journey = none
    /// A further modifier, as an index in ``ExportTexts/qualifiers``.
    var qualifier = none
    /// The loaded miles, in hundredths.
    var miles = none
    var patient = 0
    var billedCents = blankAmount
    var paidCents = blankAmount
    var status = Status.completed
    /// Whether money is written with a dollar sign and commas.
    var hasDollarSigns = false
    /// Whether blanks are written as `NULL` or `NA`.
    var hasNullWords = false
    /// Whether text is padded with spaces, and amounts are written without a last zero.
    var isPadded = false
    var truth = Truth.undetermined

    /// The month of the pick-up on the facility's calendar.
    var month: Month { CivilDate(dayNumber: day).month }
}

/// The outcomes of the versions of trips that have several.
///
/// It applies the same definition as ``TripResolution``, but to labels instead of values.
struct VersionOutcomes {
    let plan: FaultPlan
    let generator: TripGenerator

    /// Moves the versions that are not accepted to their terms.
    func apply(to tallies: inout [FileTally]) {
        for group in plan.groups {
            for (version, term) in zip(group, Self.terms(labels: group.map(\.label))) {
                guard term != .accepted else { continue }
                tallies[version.fileIndex].move(
                    version.trip,
                    regionIndex: generator.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
    }

    /// The terms of versions in order of exports.
    ///
    /// The first version of the last sequence of equal ones is accepted, the first versions of
    /// earlier sequences are superseded, and all others are duplicates.
    static func terms(labels: [Int]) -> [LedgerTerm] {
        var terms: [LedgerTerm] = []
        for (index, label) in labels.enumerated() {
            if index > 0, labels[index - 1] == label {
                terms.append(.duplicate)
            } else if labels[index...].contains(where: { $0 != label }) {
                terms.append(.superseded)
            } else {
                terms.append(.accepted)
            }
        }
        return terms
    }
}
