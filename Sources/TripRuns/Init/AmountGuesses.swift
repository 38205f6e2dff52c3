import TripDomain
import TripEngine

/// Which columns are the cost, the miles, the provider's NPI, the modifiers and the patient.
struct AmountGuesses: Sendable {
    private let profiles: [ColumnProfile]

    private static let costs = [
        ("paid", 10), ("pd", 10), ("payment", 9), ("reimbursed", 8), ("reimbursement", 8),
        ("allowed", 6), ("alowd", 6),
        ("cost", 6), ("amount", 5), ("amt", 5), ("charge", 4), ("charges", 4), ("charged", 4),
        ("chrg", 4), ("billed", 4), ("price", 4), ("fee", 3), ("dollars", 3), ("total", 2),
    ]
    private static let distances = [
        ("mile", 10), ("miles", 10), ("mileage", 10), ("distance", 8), ("loaded", 2),
    ]
    private static let otherWords = [
        "rate", "date", "number", "count", "units", "code", "id", "tax", "by", "status", "type",
    ]
    /// Amounts that cannot be read set their records aside; more than these are another column's.
    private static let readPercent = 98

    /// Prepares to look for amounts.
    ///
    /// - Parameter profiles: The columns.
    init(_ profiles: [ColumnProfile]) {
        self.profiles = profiles
    }

    /// The patient's identifier, where a column is one.
    var patient: DraftField? {
        let found = profiles.first { profile in
            profile.words.isPatientNumber && profile.filledCount * 2 >= profile.recordCount
        }
        return found.map { profile in
            DraftField(
                name: "patient",
                columns: [profile.name],
                type: .patientID,
                nullWords: profile.nullWords,
                evidence: "by its name: sealed, and never shown; "
                    + "\(Counted.number(Int64(profile.filledCount))) of "
                    + "\(Counted.number(Int64(profile.recordCount))) are filled"
            )
        }
    }

    /// The fields that are read as amounts, numbers of providers and codes.
    var fields: [DraftField] { [cost, miles, provider, modifiers].compactMap(\.self) }

    private var cost: DraftField? {
        guard let profile = best(Self.costs, besides: Self.distances) else { return unnamedCost }
        var field = amount("cost", profile, .money)
        let reading = field.evidence
        let others = amounts(Self.costs, besides: Self.distances).map(\.profile)
            .filter { $0.name != profile.name }
        if !others.isEmpty {
            field.evidence += "; other amounts: " + others.map(\.shown).joined(separator: ", ")
        }
        if field.isRounded {
            field.question =
                "amounts of \(profile.shown) have more than two decimals: `round: nearest` makes "
                + "whole cents of them, which is wrong where a point groups thousands"
        }
        let reads = (profile.roundedCounts[.money] ?? 0) * 100
        guard reads < profile.filledCount * Self.readPercent else { return field }
        field.isComment = true
        field.question =
            if profile.has(.decimalComma, percent: 51) {
                "\(profile.shown) has decimal commas, as 12,50, which cannot be money: have it "
                    + "exported with points"
            } else if let count = profile.formCounts[.minusBehind] {
                "\(profile.shown) has the minus behind \(Counted.text(count, "amount")), as 12.50-, "
                    + "which cannot be money: have it exported before the amount"
            } else {
                "\(profile.shown) \(reading): with all others set aside it is not read"
            }
        return field
    }

    /// Columns of amounts that no name tells from others, as a question; nil where there are none.
    private var unnamedCost: DraftField? {
        let found = profiles.filter { profile in
            // Words such as `waived` may stand among the amounts, and whole dollars.
            let readCount = profile.roundedCounts[.money] ?? 0
            return !profile.isPersonal && profile.time == nil && readCount > 0
                && readCount * 2 >= profile.filledCount
                && (profile.formCounts[.centsOrFiner] ?? 0) * 4 >= readCount
                && !profile.has(.spreadsheetDay, percent: 90)
                && !profile.words.hasAny(Self.distances.map(\.0))
        }
        guard let first = found.first else { return nil }
        var field = amount("cost", first, .money)
        let columns = found.prefix(3).map { profile in
            let count = Int64(profile.roundedCounts[.money] ?? 0)
            return "\(profile.shown) reads as money in \(Counted.number(count)) of "
                + Counted.number(Int64(profile.recordCount))
        }
        field.question = "no name says which column is the cost; " + columns.joined(separator: ", ")
        field.isComment = true
        return field
    }

    private var miles: DraftField? {
        guard let profile = best(Self.distances, besides: []) else { return nil }
        var field = amount("miles", profile, .miles)
        field.isComment = profile.roundedCounts[.miles] != profile.filledCount
        return field
    }

    private var provider: DraftField? {
        let found = profiles.first { !$0.isPersonal && $0.reads(.npi, percent: 100) }
        return found.map { profile in
            field(
                "provider_npi",
                profile,
                .npi,
                "an NPI with a right check digit in " + profile.share(of: profile.filledCount)
            )
        }
    }

    /// The columns of modifiers, joined where there are several.
    private var modifiers: DraftField? {
        let found = profiles.filter { profile in
            profile.words.isModifier && profile.reads(.codes, percent: 100)
        }
        guard let first = found.first else { return nil }
        var field = field(
            "modifiers",
            first,
            .codes,
            "codes of two characters in all that are filled"
        )
        field.columns = found.map(\.name)
        return field
    }

    private func best(
        _ words: [(String, Int)],
        besides others: [(String, Int)]
    ) -> ColumnProfile? {
        let found = amounts(words, besides: others)
        // Of equal ones the first.
        return found.first { $0.score == found.map(\.score).max() }?.profile
    }

    /// The columns of numbers that some words name, with their scores.
    private func amounts(
        _ words: [(String, Int)],
        besides others: [(String, Int)]
    ) -> [(profile: ColumnProfile, score: Int)] {
        profiles.compactMap { profile in
            guard !profile.isPersonal, profile.time == nil, profile.filledCount > 0
            else { return nil }
            let named = profile.words.score(words.map { (phrase: $0.0, score: $0.1) })
            // A column of words, such as `Paid By`, is no amount.
            let readCount =
                (profile.roundedCounts[.money] ?? 0) + (profile.formCounts[.minusBehind] ?? 0)
            let isNumber =
                readCount * 2 >= profile.filledCount || profile.has(.decimalComma, percent: 51)
            guard named > 0, isNumber, !profile.words.hasAny(others.map(\.0)) else { return nil }
            let score = named * 2 - (profile.words.hasAny(Self.otherWords) ? 9 : 0)
            return score > 0 ? (profile, score) : nil
        }
    }

    /// A field of amounts or distances, rounded where some have further decimals.
    private func amount(_ name: String, _ profile: ColumnProfile, _ type: FieldType) -> DraftField {
        let count = profile.roundedCounts[type] ?? 0
        let further = count - (profile.readCounts[type] ?? 0)
        let reads = "reads as \(type.rawValue) in " + profile.share(of: count)
        var field = field(name, profile, type, reads)
        guard further > 0 else { return field }
        field.isRounded = true
        field.evidence += "; \(Counted.number(Int64(further))) with more than two decimals"
        return field
    }

    private func field(
        _ name: String,
        _ profile: ColumnProfile,
        _ type: FieldType,
        _ evidence: String
    ) -> DraftField {
        DraftField(
            name: name,
            columns: [profile.name],
            type: type,
            nullWords: profile.nullWords,
            evidence: evidence
        )
    }
}
