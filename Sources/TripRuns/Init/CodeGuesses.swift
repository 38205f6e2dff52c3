import TripDomain
import TripEngine

/// Which columns of few values are the region, the trip type, the owner and the status.
struct CodeGuesses: Sendable {
    private let profiles: [ColumnProfile]

    private static let regions = [
        ("visn", 20), ("region", 18), ("rgn", 18), ("network", 14), ("district", 12),
        ("county", 12), ("cnty", 12),
        ("division", 10), ("battalion", 10), ("zone", 10), ("area", 9), ("territory", 9),
        ("station", 8), ("facility", 8), ("site", 7), ("base", 6), ("city", 5), ("precinct", 5),
        ("state", 3),
    ]
    private static let types = [
        ("service level", 20), ("level of service", 20), ("trip type", 18),
        ("transport type", 18), ("call type", 16), ("service type", 16), ("type of service", 16),
        ("hcpcs", 15), ("los", 14), ("procedure code", 12), ("cpt", 10), ("level", 9),
        ("type", 7), ("category", 6), ("mode", 6), ("acuity", 5), ("priority", 4), ("nature", 4),
        ("service", 3),
    ]
    private static let owners = [
        ("owner", 20), ("ownership", 20), ("owned", 20), ("in house", 20), ("inhouse", 20),
        ("own", 14), ("operator", 12),
        ("vendor", 12), ("contractor", 12), ("carrier", 10), ("agency", 10), ("company", 10),
        ("provider", 9), ("supplier", 9), ("class", 8), ("fleet", 8), ("employer", 6),
    ]
    private static let states = [("status", 20), ("disposition", 18), ("outcome", 10)]
    /// Values of an owner that are the organisation itself.
    private static let own: Set = [
        "va", "vha", "vamc", "own", "owned", "in-house", "in house", "inhouse", "in_house",
        "internal", "government",
    ]
    /// Words of columns that say yes where the organisation drives itself.
    private static let ownWords = ["owned", "own", "in house", "inhouse"]
    private static let yesWords: Set = ["y", "yes", "t", "true", "1"]
    /// Words of what is a part of a name and no code of a trip.
    private static let others = [
        "vehicle", "unit", "payer", "file", "date", "time", "phone", "npi",
        "modifier", "modifiers", "mod", "mods", "mdfr",
    ]

    /// More values than these are ids or free text, and no dimension of a KPI.
    private static let regionMax = 400
    private static let typeMax = 200
    private static let ownerMax = 60
    private static let stateMax = 20
    /// The columns that a question names.
    private static let perhapsMax = 4

    /// Prepares to look for codes.
    ///
    /// - Parameter profiles: The columns that no other field reads.
    init(_ profiles: [ColumnProfile]) {
        self.profiles = profiles.filter { !$0.isPersonal && $0.time == nil && $0.filledCount > 0 }
    }

    /// The region; a constant with a question where no column is one.
    var region: DraftField {
        if let found = best(Self.regions, max: Self.regionMax) { return field("region", found) }
        return DraftField(
            name: "region",
            constant: "UNKNOWN",
            evidence: "no column is named as a region, county, station or the like",
            question: "which column is the region\(perhaps(besides: []))? Until then it is UNKNOWN "
                + "for all trips"
        )
    }

    /// The trip type; a constant with a question where no column is one.
    ///
    /// - Parameter taken: The columns that are fields already.
    /// - Returns: The field.
    func tripType(besides taken: [String]) -> DraftField {
        if let found = best(Self.types, max: Self.typeMax, besides: taken) {
            return field("trip_type", found)
        }
        return DraftField(
            name: "trip_type",
            constant: "OTHER",
            evidence: "no column is named as a service level, type or HCPCS code",
            question: "which column is the trip type\(perhaps(besides: taken))? Until then it is "
                + "OTHER for all trips"
        )
    }

    /// The columns whose values are few and repeat, as those of a code do: `, perhaps \`A\``.
    private func perhaps(besides taken: [String]) -> String {
        let found = profiles.filter { profile in
            !taken.contains(profile.name) && profile.decimalCount == 0
                && (2...Self.ownerMax).contains(profile.distinctCount)
                && profile.filledCount >= 3 * profile.distinctCount
        }
        let names = found.prefix(Self.perhapsMax).map(\.shown)
        return names.isEmpty ? "" : ", perhaps " + names.joined(separator: " or ")
    }

    /// The status and the owner, where there are columns for them.
    ///
    /// - Parameter taken: The columns that are fields already.
    /// - Returns: The fields; none where no column is one.
    func further(besides taken: [String]) -> [DraftField] {
        var fields: [DraftField] = []
        if let owner = best(Self.owners, max: Self.ownerMax, besides: taken) {
            var field = field("owner", owner)
            field.ownValues = Self.ownValues(owner)
            fields.append(field)
        }
        let all = taken + fields.flatMap(\.columns)
        if let state = best(Self.states, max: Self.stateMax, besides: all) {
            fields.append(field("status", state))
        }
        return fields
    }

    /// The values that are the organisation itself; empty where all are, or none.
    private static func ownValues(_ profile: ColumnProfile) -> [String] {
        let isFlag = profile.words.hasAny(ownWords) && profile.reads(.boolean, percent: 100)
        let own = isFlag ? yesWords : own
        var values: [String] = []
        profile.column.forEachText { text, _ in
            let value = String(decoding: text, as: UTF8.self)
            if own.contains(value.lowercased()) { values.append(value) }
        }
        return values.count < profile.distinctCount ? values : []
    }

    private func best(
        _ words: [(String, Int)],
        max distinctMax: Int,
        besides taken: [String] = []
    ) -> ColumnProfile? {
        var best: ColumnProfile?
        var bestScore = 0
        for profile in profiles where !taken.contains(profile.name) {
            guard profile.distinctCount <= distinctMax else { continue }
            let score =
                profile.words.score(words.map { (phrase: $0.0, score: $0.1) })
                - (profile.words.hasAny(Self.others) ? 10 : 0)
                - (profile.words.hasAny(["name", "description"]) ? 1 : 0)
            if score > bestScore { (best, bestScore) = (profile, score) }
        }
        return best
    }

    private func field(_ name: String, _ profile: ColumnProfile) -> DraftField {
        let blank = profile.recordCount - profile.filledCount
        return DraftField(
            name: name,
            columns: [profile.name],
            nullWords: profile.nullWords,
            evidence: Counted.text(profile.distinctCount, "different value")
                + (blank == 0 ? ", none blank" : ", \(Counted.number(Int64(blank))) blank"),
            values: profile.codeValues ?? []
        )
    }
}
