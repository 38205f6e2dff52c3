import TripDomain
import TripEngine

/// Which columns name a trip: one that is never blank and never repeats, or several together.
struct TripIDGuess: Sendable {
    private let profiles: [ColumnProfile]
    private let recordCount: Int

    /// Words of what has a number of its own for each trip.
    private static let trips = [
        "trip", "run", "claim", "incident", "call", "transport", "ride", "leg", "case", "pcr",
        "epcr", "encounter", "dispatch", "order", "request", "job", "record", "event",
    ]
    private static let numbers = [
        "id", "no", "nr", "num", "number", "key", "#", "control", "reference", "ref", "icn",
    ]
    /// Words of parts of a trip's id: one of several units or lines.
    private static let parts = [
        "line", "leg", "unit", "units", "segment", "seq", "sequence", "suffix",
    ]
    /// Words of what many trips share.
    private static let others = [
        "vehicle", "station", "provider", "vendor", "npi", "contract", "invoice", "batch", "file",
        "zip", "facility", "fleet", "contractor",
    ]
    /// The columns that are combined; more would try thousands of pairs.
    private static let combinedMax = 12
    /// The columns of a composed id.
    private static let partsMax = 4

    /// Prepares to look for the id.
    ///
    /// - Parameter profiles: The columns.
    init(_ profiles: [ColumnProfile]) {
        self.profiles = profiles.filter { !$0.isPersonal }
        recordCount = profiles.first?.recordCount ?? 0
    }

    /// The field, with what was not decided about it.
    var field: DraftField {
        var field = chosen
        let lost = profiles.first { $0.isShortened && Self.score($0) >= 4 }
        guard let lost else { return field }
        let reason =
            "\(lost.shown) holds numbers that a spreadsheet shortened, as 1.2E+11, so that "
            + "different trips have one: have it exported as text"
        field.question = [reason, field.question].compactMap(\.self).joined(separator: "; ")
        return field
    }

    /// The id of lines of claims.
    ///
    /// - Parameter columns: The columns of a line.
    /// - Returns: The claim and the number of its line; where one of them was not found, what names
    ///   a record otherwise, with a question.
    func field(of columns: ClaimColumns) -> DraftField {
        guard let claim = columns.claim, let line = columns.line else {
            var field = self.field
            if field.question != nil {
                field.question =
                    "the records are lines of claims: compose it of the claim and the number of "
                    + "its line, or of what tells the base lines of a claim apart"
            }
            return field
        }
        let distinct = Self.joined(claim.column.codes, line.column.codes).distinct
        return DraftField(
            name: "trip_id",
            columns: [claim.name, line.name],
            evidence: "the claim and the number of its line: "
                + "\(Counted.number(Int64(distinct))) different ones in "
                + Counted.text(recordCount, "record")
        )
    }

    private var chosen: DraftField {
        let profiles = profiles.filter { !$0.isShortened }
        let scored = profiles.map { (profile: $0, score: Self.score($0)) }
        // A column that is filled in nearly all records: a blank id is a reject.
        let filled = scored.filter { $0.profile.filledCount * 100 >= recordCount * 98 }
        var single: (profile: ColumnProfile, score: Int)?
        for one in filled where one.profile.distinctCount == one.profile.filledCount {
            let isPlain = one.profile.time == nil && one.profile.decimalCount == 0
            guard one.score > 0 || isPlain else { continue }
            if one.score > (single?.score ?? .min) { single = one }
        }
        // An export that repeats trips to correct them has an id that is nearly unique.
        var nearly: (profile: ColumnProfile, score: Int)?
        for one in filled where one.score >= 5 {
            let profile = one.profile
            guard profile.distinctCount * 100 >= profile.filledCount * 90 else { continue }
            if one.score > (nearly?.score ?? .min) { nearly = one }
        }
        if let single, single.score >= 4 || nearly == nil {
            return draft(single.profile, single.score)
        }
        if let nearly { return draft(nearly.profile, nearly.score) }
        // Words alone may be names, and ids are stored as they are.
        let parts = filled.filter { one in
            one.score > 0 || !one.profile.has(.wordsAlone, percent: 51)
                || one.profile.words.isOfThings
        }
        let field = combined(parts.sorted { Self.rank($0) > Self.rank($1) }.map(\.profile))
        return field ?? nearlyFilled(scored)
    }

    /// A column that differs in half of the records or more, and is blank in some; a comment where
    /// none is one.
    private func nearlyFilled(_ scored: [(profile: ColumnProfile, score: Int)]) -> DraftField {
        var best: (profile: ColumnProfile, score: Int)?
        for one in scored {
            let profile = one.profile
            let isPlain = profile.time == nil && profile.decimalCount == 0
            guard isPlain, profile.distinctCount * 2 >= recordCount,
                profile.distinctCount * 4 >= profile.filledCount * 3
            else { continue }
            if one.score > (best?.score ?? .min) { best = one }
        }
        if let best { return draft(best.profile, best.score) }
        return DraftField(
            name: "trip_id",
            evidence: "no column, and no columns together, differ in half of the records",
            question: "no column can name a trip: name one, or write "
                + "{source_position: true} where each record is a trip of its own",
            isComment: true
        )
    }

    private static func score(_ profile: ColumnProfile) -> Int {
        let words = profile.words
        return (words.hasAny(trips) ? 4 : 0) + (words.hasAny(numbers) ? 4 : 0)
            - (words.hasAny(others) ? 6 : 0) - (profile.time != nil ? 6 : 0)
    }

    /// The order in which columns are combined: names of ids, then of parts, then many values.
    private static func rank(_ one: (profile: ColumnProfile, score: Int)) -> Int {
        let profile = one.profile
        let isAmount = profile.decimalCount * 2 > profile.filledCount
        return one.score * 1000 + (profile.words.hasAny(parts) ? 5000 : 0)
            + (profile.time != nil ? 7000 : 0) - (isAmount ? 20_000 : 0)
            + profile.distinctCount * 999 / max(1, profile.recordCount)
    }

    private func draft(_ profile: ColumnProfile, _ score: Int) -> DraftField {
        let repeats = profile.filledCount - profile.distinctCount
        let blank = recordCount - profile.filledCount
        var evidence = "\(Counted.text(profile.filledCount, "value")), "
        evidence += repeats == 0 ? "all different" : "\(Counted.number(Int64(repeats))) repeated"
        if blank > 0 { evidence += "; \(Counted.text(blank, "blank record")) would be set aside" }
        var field = DraftField(name: "trip_id", columns: [profile.name], evidence: evidence)
        var questions: [String] = []
        if score <= 0 {
            questions.append("the name of \(profile.shown) does not say that it names a trip")
        }
        if repeats * 20 > profile.filledCount {
            questions.append(
                "\(Counted.text(repeats, "record")) \(repeats == 1 ? "repeats" : "repeat") an id: "
                    + "the last record of an id counts alone, as a correction"
            )
        }
        field.question = questions.isEmpty ? nil : questions.joined(separator: "; ")
        return field
    }

    // MARK: - Several columns

    /// The smallest combination that never repeats, or the one that repeats least; nil where it
    /// does not differ in half of the records.
    private func combined(_ ranked: [ColumnProfile]) -> DraftField? {
        let columns = Array(ranked.prefix(Self.combinedMax))
        for (index, first) in columns.enumerated() {
            for second in columns[(index + 1)...] where isUnique(first, second) {
                return draft([first, second], distinct: recordCount)
            }
        }
        guard let first = columns.first else { return nil }
        var chosen = [first]
        var codes = first.column.codes
        var distinct = first.distinctCount
        while chosen.count < Self.partsMax, distinct < recordCount {
            var best: (profile: ColumnProfile, codes: [UInt32], distinct: Int)?
            for profile in columns where !chosen.contains(where: { $0.index == profile.index }) {
                let joined = Self.joined(codes, profile.column.codes)
                if joined.distinct > max(distinct, best?.distinct ?? 0) {
                    best = (profile, joined.codes, joined.distinct)
                }
            }
            guard let best else { break }
            chosen.append(best.profile)
            (codes, distinct) = (best.codes, best.distinct)
        }
        return distinct * 2 >= recordCount ? draft(chosen, distinct: distinct) : nil
    }

    private func isUnique(_ first: ColumnProfile, _ second: ColumnProfile) -> Bool {
        guard first.distinctCount * second.distinctCount >= recordCount else { return false }
        var seen: Set<UInt64> = []
        for (left, right) in zip(first.column.codes, second.column.codes) {
            guard left != 0, right != 0, seen.insert(UInt64(left) << 32 | UInt64(right)).inserted
            else { return false }
        }
        return true
    }

    /// One code for each pair of codes, and how many pairs there are.
    private static func joined(
        _ left: [UInt32],
        _ right: [UInt32]
    ) -> (codes: [UInt32], distinct: Int) {
        var known: [UInt64: UInt32] = [:]
        let codes = zip(left, right).map { left, right in
            let next = UInt32(known.count) + 1
            let pair = UInt64(left) << 32 | UInt64(right)
            if let code = known[pair] { return code }
            known[pair] = next
            return next
        }
        return (codes, known.count)
    }

    private func draft(_ chosen: [ColumnProfile], distinct: Int) -> DraftField {
        let repeats = recordCount - distinct
        var field = DraftField(
            name: "trip_id",
            columns: chosen.map(\.name),
            evidence: repeats == 0
                ? "no column alone differs in all \(Counted.text(recordCount, "record")); "
                    + "\(chosen.count) together do"
                : "\(Counted.number(Int64(distinct))) different ones in "
                    + Counted.text(recordCount, "record")
        )
        field.question =
            repeats == 0
            ? "no column alone names a trip: every record counts as a trip of its own, also where "
                + "several are lines of one"
            : "\(Counted.text(repeats, "record")) \(repeats == 1 ? "has" : "have") the id of another, "
                + "and the last of them counts alone; {source_position: true} counts each record"
        return field
    }
}

extension ColumnProfile {
    /// Whether a run would set records aside for numbers that a spreadsheet shortened.
    fileprivate var isShortened: Bool { has(.shortenedNumber, percent: 2) }
}
