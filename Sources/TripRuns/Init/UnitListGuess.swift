import TripDomain
import TripEngine

/// Which column lists several units in one cell, as `M6=06:51, V2` does; each unit may be a trip.
struct UnitListGuess: Sendable {
    /// The column.
    let profile: ColumnProfile
    /// The text between two units.
    let separator: String
    /// The text between a unit and its time; nil where the units have no times.
    let timeMark: String?
    /// The cells that list two units or more.
    let listCount: Int

    private static let separators: [Character] = [";", ",", "|", "/", "+"]
    private static let units = [
        "unit", "units", "crew", "crews", "vehicle", "vehicles", "apparatus", "resource",
        "resources", "ambulance", "ambulances", "responders",
    ]
    /// Words of lists that are no units.
    private static let others = [
        "modifier", "modifiers", "mod", "mods", "diagnosis", "diagnoses", "dx", "procedure",
        "procedures", "code", "codes", "hcpcs", "cpt", "county", "city", "name",
    ]
    /// A unit is a short word.
    private static let unitSizeMax = 12
    /// So many percent of the cells list several.
    private static let listPercent: (named: Int, other: Int) = (10, 30)

    /// Looks for such a column.
    ///
    /// - Parameter profiles: The columns.
    /// - Returns: The first by the order of the file; nil where none is one.
    static func find(in profiles: [ColumnProfile]) -> UnitListGuess? {
        for profile in profiles where !profile.isPersonal && profile.time == nil {
            guard profile.filledCount > 0, !profile.words.hasAny(others),
                !profile.reads(.money, percent: 50)
            else { continue }
            let found = separators.compactMap { UnitListGuess(profile, $0) }
            // Of equal counts the first is taken, so that no result depends on a sorting.
            var best = found.first
            for one in found where one.listCount > (best?.listCount ?? 0) { best = one }
            if let best { return best }
        }
        return nil
    }

    private init?(_ profile: ColumnProfile, _ separator: Character) {
        let isNamed = profile.words.hasAny(Self.units)
        // `08/516` is one station, unless the name of the column speaks of units.
        guard isNamed || separator != "/" && separator != "+" else { return nil }
        var (lists, others) = (0, 0)
        var marks: [String: Int] = [:]
        profile.column.forEachText { text, count in
            let parts = String(decoding: text, as: UTF8.self).split(separator: separator)
                .map { Self.bare($0) }.filter { !$0.isEmpty }
            guard parts.count >= 2 else { return }
            let units = parts.map { Self.divided($0) }
            let areUnits = units.allSatisfy { unit in
                Self.isUnit(unit.name) && (isNamed || Self.isCode(unit.name))
            }
            if areUnits { lists += count } else { others += count }
            for unit in units where areUnits && unit.mark != nil {
                marks[unit.mark ?? "", default: 0] += count
            }
        }
        let percent = isNamed ? Self.listPercent.named : Self.listPercent.other
        guard lists > 0, lists * 100 >= profile.filledCount * percent, lists > others else {
            return nil
        }
        self.profile = profile
        self.separator = String(separator)
        timeMark = marks.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        listCount = lists
    }

    /// What is to be answered.
    ///
    /// - Parameter tripID: The columns of the trip id.
    /// - Returns: A clause that quotes no cell.
    func question(tripID: [String]) -> String {
        let list =
            "\(Counted.text(listCount, "cell")) of \(profile.shown) "
            + "\(listCount == 1 ? "lists" : "list") several units; are they trips of their "
            + "own, write "
        var keys = "split: \(Self.quoted(separator))"
        if let timeMark { keys += ", unit_time: {after: \(Self.quoted(timeMark))}" }
        let columns = (tripID.filter { $0 != profile.name } + [profile.name])
            .map { "`\(UnseenCharacters.named(in: $0))`" }
        let id =
            columns.count > 1
            ? ", and compose `trip_id` of \(columns.joined(separator: " + "))" : ""
        return list + "{\(keys)} for it\(id); until then a record is one trip"
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }

    private static func bare(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return "" }
        return start[...last]
    }

    /// A unit and the mark before its time: `M6=06:51` is `M6` and `=`; without a time there is no
    /// mark.
    private static func divided(_ text: Substring) -> (name: Substring, mark: String?) {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        let rest = text[name.endIndex...]
        for mark in ["=", "@", " at ", " @ ", " = ", " "] where rest.hasPrefix(mark) {
            let time = rest.dropFirst(mark.count)
            guard !time.isEmpty else { return (name, nil) }
            let isTime = time.contains(":") && time.allSatisfy { $0.isNumber || $0 == ":" }
            if isTime { return (name, mark) }
        }
        // A mark without a time, or with one that cannot be read, hides no unit.
        if let sign = rest.first, sign == "=" || sign == "@" { return (name, nil) }
        return rest.isEmpty ? (name, nil) : ("", nil)
    }

    private static func isCode(_ name: Substring) -> Bool {
        name.contains(where: \.isNumber) && name.contains(where: \.isLetter)
    }

    private static func isUnit(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= unitSizeMax
    }
}
