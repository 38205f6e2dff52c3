import TripDomain
import TripEngine
import TripMart

/// What is to be done about decisions made by hand: those that expired, and those of no trip.
///
/// An override is meant to be looked at again. One that has expired is named by every night until somebody renews
/// it or takes it away.
struct OverrideNotes {
    /// More of a kind than this are counted.
    private static let shownCount = 5

    /// One clause each, with the place it is about.
    let clauses: [String]

    /// - Parameters:
    ///   - list: The overrides; nil where there are none.
    ///   - isHeld: Whether the folder has another list, whose lines these are not.
    ///   - dataThrough: The last day of the data.
    ///   - hasTrip: Whether some trip has the id of an override, by its place in the list.
    /// - Throws: What looking for a trip throws.
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
        for (place, override) in list.overrides.enumerated() {
            let line = "\(file):\(override.lineNumber)"
            if !(try hasTrip(place)) {
                let isOver = dataThrough.map { $0 > override.expires } ?? false
                let end = isOver ? ", and it expired on \(override.expires.text)" : ""
                unknown.append("\(line): no trip has this id\(end)")
            } else if !override.isInForce(dataThrough) {
                expired.append(
                    "\(line): expired on \(override.expires.text), the rules decide its trip "
                        + "again; renew the line or take it out"
                )
            }
        }
        clauses =
            Self.limited(expired, "\(file): \(expired.count - Self.shownCount) more expired")
            + Self.limited(unknown, "\(file): \(unknown.count - Self.shownCount) more of no trip")
    }

    /// Looks for the trips of a generation.
    ///
    /// - Parameters:
    ///   - list: The overrides; nil where there are none.
    ///   - served: The generation.
    ///   - isHeld: Whether the folder has another list, whose lines these are not.
    /// - Throws: `MartError` of the file.
    init(_ list: OverrideList?, _ served: ServedMart, isHeld: Bool = false) throws(MartError) {
        let day = served.header.dataThrough
        try self.init(list, isHeld: isHeld, dataThrough: day) { place throws(MartError) in
            guard let list else { return false }
            let id = String(decoding: list.overrides[place].tripID, as: UTF8.self)
            return try served.hasTrip(id: id)
        }
    }

    private static func limited(_ lines: [String], _ more: String) -> [String] {
        lines.count > shownCount ? lines.prefix(shownCount) + [more] : lines
    }
}
