import TripDomain
import TripEngine
import TripMart
import TripRules

/// Decisions made by hand that need attention: those that expired, and those that no trip matches.
///
/// An override is meant to be reviewed. Every run names an expired one until its line is renewed or
/// removed.
struct OverrideNotes {
    /// The number of notes of a kind that are listed; further ones are only counted.
    private static let shownCount = 5

    /// One clause each, with the position in the file.
    let clauses: [String]

    /// - Parameters:
    ///   - list: The overrides; nil where there are none.
    ///   - isHeld: Whether the folder has an edited list, so that these are the published lines.
    ///   - dataThrough: The last day of the data.
    ///   - hasTrip: Whether a trip has the id of an override, by its index in the list.
    /// - Throws: Any error of the search for a trip.
    init<Fault>(
        _ list: OverrideList?,
        isHeld: Bool,
        dataThrough: CivilDate?,
        hasTrip: (Int) throws(Fault) -> Bool
    ) throws(Fault) {
        guard let list else {
            clauses = []
            return
        }
        let file = list.table.file + (isHeld ? " as published" : "")
        var expired: [String] = []
        var unknown: [String] = []
        for (index, override) in list.overrides.enumerated() {
            let line = "\(file):\(override.lineNumber)"
            if !(try hasTrip(index)) {
                let isOver = dataThrough.map { $0 > override.expires } ?? false
                let end = isOver ? ", and it expired on \(override.expires.text)" : ""
                unknown.append("\(line): no trip has this id\(end)")
            } else if !override.isInForce(dataThrough) {
                expired.append(
                    "\(line): expired on \(override.expires.text), the rules decide its trip "
                        + "again; renew the line or remove it"
                )
            }
        }
        clauses =
            Self.limited(expired, "\(file): \(expired.count - Self.shownCount) more expired")
            + Self.limited(
                unknown,
                "\(file): \(unknown.count - Self.shownCount) more without a trip"
            )
    }

    /// Searches the trips of a generation.
    ///
    /// - Parameters:
    ///   - list: The overrides; nil where there are none.
    ///   - served: The generation.
    ///   - isHeld: Whether the folder has an edited list, so that these are the published lines.
    /// - Throws: `MartError` of the file.
    init(_ list: OverrideList?, _ served: ServedMart, isHeld: Bool = false) throws(MartError) {
        let day = served.header.dataThrough
        try self.init(list, isHeld: isHeld, dataThrough: day) { index throws(MartError) in
            guard let list else { return false }
            let id = String(decoding: list.overrides[index].tripID, as: UTF8.self)
            return try served.hasTrip(id: id)
        }
    }

    private static func limited(_ lines: [String], _ more: String) -> [String] {
        lines.count > shownCount ? lines.prefix(shownCount) + [more] : lines
    }
}
