import TripDomain
import TripEngine

/// Which columns are the cost, the miles, the provider's NPI, the modifiers and the patient.
struct AmountGuesses: Sendable {
    private let profiles: [ColumnProfile]

    private static let costs = [
        ("paid", 10), ("payment", 9), ("reimbursed", 8), ("reimbursement", 8), ("allowed", 6),
        ("cost", 6), ("amount", 5), ("amt", 5), ("charge", 4), ("charges", 4), ("charged", 4),
        ("billed", 4), ("price", 4), ("fee", 3), ("dollars", 3), ("total", 2),
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
        guard let profile = best(Self.costs, besides: Self.distances) else { return nil }
        let count = profile.readCounts[.money] ?? 0
        let reads = "reads as money in " + profile.share(of: count)
        var field = field("cost", profile, .money, reads)
        guard !profile.reads(.money, percent: Self.readPercent) else { return field }
        let hasCommas = profile.commaDecimalCount * 2 > profile.filledCount
        field.isComment = true
        field.question =
            hasCommas
            ? "\(profile.shown) has decimal commas, as 12,50, which cannot be money: have it "
                + "exported with points"
            : "\(profile.shown) \(reads): with all others set aside it is not read"
        return field
    }

    private var miles: DraftField? {
        guard let profile = best(Self.distances, besides: []) else { return nil }
        let reads = "reads as miles in " + profile.share(of: profile.readCounts[.miles] ?? 0)
        var field = field("miles", profile, .miles, reads)
        field.isComment = !profile.reads(.miles, percent: 100)
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
            profile.words.hasAny(["modifier", "modifiers", "mod", "mods"])
                && profile.reads(.codes, percent: 100)
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
        var best: ColumnProfile?
        var bestScore = 0
        for profile in profiles where !profile.isPersonal && profile.time == nil {
            guard profile.filledCount > 0 else { continue }
            let named = profile.words.score(words.map { (phrase: $0.0, score: $0.1) })
            // A column of words, such as `Paid By`, is no amount.
            let isNumber =
                profile.reads(.money, percent: 50)
                || profile.commaDecimalCount * 2 > profile.filledCount
            guard named > 0, isNumber, !profile.words.hasAny(others.map(\.0)) else { continue }
            let score = named * 2 - (profile.words.hasAny(Self.otherWords) ? 9 : 0)
            if score > bestScore { (best, bestScore) = (profile, score) }
        }
        return best
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
