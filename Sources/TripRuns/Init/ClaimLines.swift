import TripDomain
import TripEngine

/// A column of service codes which say that a record is a line of a claim and not a trip: those of
/// mileage beside those of ambulance services.
struct ClaimLines: Sendable {
    /// The codes of ground and air mileage.
    private static let mileageCodes: Set = ["A0425", "A0435", "A0436"]
    /// The codes of services with a vehicle.
    private static let baseCodes: Set = [
        "A0426", "A0427", "A0428", "A0429", "A0430", "A0431", "A0432", "A0433", "A0434",
    ]

    /// The column, as messages quote it.
    let column: String
    /// The codes found, as they are written, in order.
    let mileage: [String]
    let bases: [String]

    /// Looks for such a column; nil where it is none.
    ///
    /// - Parameter profile: The column.
    init?(_ profile: ColumnProfile) {
        guard !profile.isPersonal else { return nil }
        var mileage: [String] = []
        var bases: [String] = []
        profile.column.forEachText { text, _ in
            let code = String(decoding: text, as: UTF8.self)
            if Self.mileageCodes.contains(code.uppercased()) { mileage.append(code) }
            if Self.baseCodes.contains(code.uppercased()) { bases.append(code) }
        }
        guard !mileage.isEmpty, !bases.isEmpty else { return nil }
        column = profile.shown
        self.mileage = mileage.sorted()
        self.bases = bases.sorted()
    }

    /// What is to be answered.
    var question: String {
        "\(column) has \(mileage[0]) beside \(bases[0]): the records are lines of claims, not "
            + "trips; see docs/PIPELINE.md#lines-of-claims"
    }

    /// The key `lines` as comments, to be completed.
    ///
    /// - Parameter draft: The pipeline.
    /// - Returns: The lines of the file, without their indentation.
    func lines(of draft: PipelineDraft) -> [String] {
        let kind = (draft.fields + draft.others).first { $0.source == column }
        let isSummed = ["cost": "cost: all", "miles": "miles: mileage"]
        let sums = draft.fields.filter { !$0.isComment }.compactMap { isSummed[$0.name] }
        return [
            "# lines:",
            "#   claim: claim_number    # the field that names a claim",
            "#   kind: \(kind?.name ?? "hcpcs")",
            "#   base: \(YAMLWord.list(bases))",
            "#   mileage: \(YAMLWord.list(mileage))",
            "#   same: [pickup_at]      # what a line shares with its base line",
            "#   add: {\(sums.isEmpty ? "cost: all" : sums.joined(separator: ", "))}",
            "#   frequency: null        # or the column that tells replacements and voids",
        ]
    }
}
