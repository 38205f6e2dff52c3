import TripDomain
import TripEngine

/// What the key `lines` says of exports whose records are lines of claims and not trips.
///
/// Codes of mileage stand there beside those of ambulance services; the rest is taken from names
/// and values of the columns.
struct ClaimLines: Sendable {
    /// The codes of ground and air mileage.
    private static let mileageCodes: Set = ["A0425", "A0435", "A0436"]
    /// The codes of services with a vehicle.
    private static let baseCodes: Set = [
        "A0225", "A0426", "A0427", "A0428", "A0429", "A0430", "A0431", "A0432", "A0433", "A0434",
    ]
    /// The codes of what is charged beside them: supplies, waiting, further hands.
    private static let ancillaryCodes: Set = [
        "A0382", "A0384", "A0392", "A0394", "A0396", "A0398", "A0420", "A0422", "A0424", "A0888",
        "A0998", "A0999",
    ]
    /// The other codes that a question names.
    private static let othersMax = 4

    /// The column of the codes.
    let kind: ColumnProfile
    /// The codes found, as they are written, in order.
    let mileage: [String]
    let bases: [String]
    let ancillary: [String]
    /// Codes that are none of these, the most frequent first, with the records of each.
    private let others: [(text: String, count: Int)]
    /// The other columns of a line.
    let columns: ClaimColumns
    /// Whether some field can be added up over the lines of a trip.
    var hasSums = true

    /// Looks for a column of such codes; nil where none is one.
    ///
    /// - Parameter profiles: The columns.
    init?(_ profiles: [ColumnProfile]) {
        let usable = profiles.filter { !$0.isPersonal }
        for profile in usable {
            var found: [String: [String]] = [:]
            var others: [(text: String, count: Int)] = []
            profile.column.forEachText { text, count in
                let code = String(decoding: text, as: UTF8.self)
                if let name = Self.kind(of: code.uppercased()) {
                    found[name, default: []].append(code)
                } else if ColumnProfile.nullWord(text) == nil {
                    others.append((code, count))
                }
            }
            guard let mileage = found["mileage"], let bases = found["base"] else { continue }
            kind = profile
            self.mileage = mileage.sorted()
            self.bases = bases.sorted()
            ancillary = (found["ancillary"] ?? []).sorted()
            self.others = others.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
            columns = ClaimColumns(usable.filter { $0.index != profile.index })
            return
        }
        return nil
    }

    private static func kind(of code: String) -> String? {
        if mileageCodes.contains(code) { return "mileage" }
        if baseCodes.contains(code) { return "base" }
        return ancillaryCodes.contains(code) ? "ancillary" : nil
    }

    /// Whether `lines` can be written so that a run joins the lines: the claim and the number of a
    /// line have their columns, an amount or miles too, and most lines are of a known kind.
    var isComplete: Bool {
        columns.claim != nil && columns.line != nil && hasSums
            && others.reduce(0) { $0 + $1.count } * 2 < kind.recordCount
    }

    // MARK: - Questions

    /// What is to be answered, each with its key.
    var questions: [(name: String, text: String)] {
        [("lines", question)] + (columns.frequency.map { [("frequency", $0.question)] } ?? [])
    }

    private var question: String {
        var text =
            "\(kind.shown) has \(mileage[0]) beside \(bases[0]): the records are lines of claims, "
            + "not trips; "
        text +=
            isComplete
            ? "look whether `lines` joins them as is meant"
            : "complete `lines`, which stands there as a comment"
        if !others.isEmpty {
            let codes = others.prefix(Self.othersMax).map { code in
                // Free text is shown nowhere.
                code.text.utf8.count <= 12 ? UnseenCharacters.named(in: code.text) : "…"
            }
            let more = others.count - codes.count
            let records = others.reduce(0) { $0 + $1.count }
            text +=
                "; \(Counted.text(records, "record")) \(records == 1 ? "has" : "have") another code, "
                + codes.joined(separator: ", ")
                + (more > 0 ? " and \(Counted.number(Int64(more))) more" : "")
                + ", and \(records == 1 ? "is" : "are") rejected unless `base`, `mileage` or "
                + "`ancillary` has it"
        }
        return text + "; see docs/PIPELINE.md#lines-of-claims"
    }

    // MARK: - Fields

    /// The fields that `lines` names, of the columns that were found.
    ///
    /// - Parameter hasMiles: Whether a column is the miles already.
    /// - Returns: The fields, each of one column.
    func fields(hasMiles: Bool) -> [DraftField] {
        var fields: [DraftField] = []
        if !hasMiles, let units = columns.units {
            var miles = field("miles", units, "units, which are miles on a line of mileage alone")
            miles.type = .miles
            fields.append(miles)
        }
        func add(_ name: String, _ profile: ColumnProfile?, _ evidence: String) {
            guard let profile else { return }
            let share = profile.share(of: profile.filledCount)
            fields.append(field(name, profile, evidence + "filled in " + share))
        }
        if let claim = columns.claim {
            let claims = Counted.text(claim.distinctCount, "claim")
            let records = Counted.text(kind.recordCount, "line")
            fields.append(field("claim", claim, "\(claims) in \(records)"))
        }
        add("line", columns.line, "its number in the claim; ")
        add("frequency", columns.frequency?.profile, "original, replacement or void; ")
        add("replaced_claim", columns.replaced, "the claim that is replaced or voided; ")
        add("trip_modifier", columns.modifier, "origin and destination; ")
        return fields
    }

    private func field(_ name: String, _ profile: ColumnProfile, _ evidence: String) -> DraftField {
        DraftField(
            name: name,
            columns: [profile.name],
            nullWords: profile.nullWords,
            evidence: evidence
        )
    }

    // MARK: - Text

    /// The key `lines`; as comments, to be completed, where it is not complete.
    ///
    /// - Parameter draft: The pipeline.
    /// - Returns: The lines of the file, without their indentation.
    func lines(of draft: PipelineDraft) -> [String] {
        let kindField = (draft.fields + draft.others).first { $0.columns == [kind.name] }
        let isSummed = ["cost": "cost: all", "miles": "miles: mileage"]
        let sums = draft.fields.filter { !$0.isComment }.compactMap { isSummed[$0.name] }
        let same = columns.modifier == nil ? "[pickup_at]" : "[pickup_at, trip_modifier]"
        func field(_ name: String, _ profile: ColumnProfile?) -> String {
            profile == nil ? "YOUR_FIELD" : name
        }
        var keys: [(key: String, why: String?)] = [
            ("claim: " + field("claim", columns.claim), "what names a claim"),
            ("line: " + field("line", columns.line), "the number of a line in its claim"),
            ("kind: \(kindField?.name ?? "hcpcs")", nil),
            ("base: \(YAMLWord.list(bases))", "each such line is a trip"),
            ("mileage: \(YAMLWord.list(mileage))", nil),
        ]
        if !ancillary.isEmpty { keys.append(("ancillary: \(YAMLWord.list(ancillary))", nil)) }
        keys += [
            ("same: \(same)", "what a line shares with its base line"),
            ("add: {\(sums.isEmpty ? "cost: all" : sums.joined(separator: ", "))}", nil),
        ]
        // Without a column for it the key is left out: then `check` says that nothing tells
        // replacements.
        if let frequency = columns.frequency { keys.append((frequency.text, nil)) }
        if columns.replaced != nil {
            keys.append(("replaces: replaced_claim", "of a replacement or void"))
        }
        let start = isComplete ? "" : "# "
        return [start + "lines:"]
            + keys.map { start + "  " + $0.key + ($0.why.map { "    # " + $0 } ?? "") }
    }
}
