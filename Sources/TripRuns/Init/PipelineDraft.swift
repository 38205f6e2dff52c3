import TripDomain
import TripEngine

/// A pipeline for exports that were looked at: fields with their evidence, and what is left to be
/// answered.
struct PipelineDraft: Sendable {
    /// The pipeline's name.
    let name: String
    /// The exports.
    let exports: SampledExports
    /// The patterns of file names.
    let patterns: [String]
    /// The fields that are read, or written as comments to be answered.
    let fields: [DraftField]
    /// Columns that no field reads, as comments to be used.
    let others: [DraftField]
    /// Columns that may name a patient and are not read.
    let personal: [String]
    /// What says that the records are lines of claims; nil where nothing does.
    private(set) var claimLines: ClaimLines?
    /// Words of columns that rules mostly need.
    private static let ruleWords = [
        "vehicle", "unit", "vendor", "contract", "contractor", "provider", "agency", "company",
        "carrier", "crew",
    ]
    private static let ruleFieldsMax = 4
    /// Names that a pipeline gives a meaning, or that every trip has.
    private static let taken: Set = [
        "trip_id", "pickup_at", "pickup_date", "region", "trip_type", "cost", "paid", "billed",
        "miles", "patient", "provider_npi", "modifiers", "owner", "status", "trip_number", "month",
        "class", "basis", "rule", "rule_number", "counted", "source_file", "file_number",
        "record_number", "line_number", "patient_ref", "export_visn", "null", "true", "false",
        "all",
    ]

    /// Drafts a pipeline.
    ///
    /// - Parameters:
    ///   - exports: The exports.
    ///   - name: The pipeline's name.
    ///   - patterns: The patterns of file names.
    init(_ exports: SampledExports, name: String, patterns: [String]) {
        self.name = name
        self.exports = exports
        self.patterns = patterns
        // A column without a name cannot be read by it.
        let profiles = exports.table.columns.enumerated().map { ColumnProfile($1, index: $0) }
            .filter { $0.words.text.contains { $0 != " " } }
        claimLines = ClaimLines(profiles)
        let amounts = AmountGuesses(profiles)
        let numbers = amounts.fields
        let codes = CodeGuesses(profiles)
        let ids = TripIDGuess(profiles)
        let tripID = claimLines.map { ids.field(of: $0.columns) } ?? ids.field
        var fields = [tripID, PickupGuess(profiles).field]
        let before = (fields + numbers).filter { $0.name != "trip_id" }.flatMap(\.columns)
        let region = codes.region
        let type = codes.tripType(besides: before + region.columns)
        fields += [region, type] + numbers
        fields += codes.further(besides: fields.flatMap(\.columns))
        if let patient = amounts.patient { fields.append(patient) }
        if let claimLines {
            fields += claimLines.fields(hasMiles: numbers.contains { $0.name == "miles" })
        }
        claimLines?.hasSums = fields.contains {
            ["cost", "miles"].contains($0.name) && !$0.isComment
        }
        let used = Set(fields.flatMap(\.columns))
        let rest = profiles.filter { !used.contains($0.name) && $0.filledCount > 0 }
        var known = Self.taken.union(fields.map(\.name))
        var further = rest.filter { !$0.isPersonal }.map { Self.other($0, &known) }
        var active = 0
        if let kind = claimLines?.kind.name,
            let index = further.firstIndex(where: { $0.columns == [kind] })
        {
            further[index].isComment = false
        }
        for index in further.indices where active < Self.ruleFieldsMax {
            let isText = further[index].type == .text
            let words = ColumnWords(further[index].columns.joined())
            guard isText, words.hasAny(Self.ruleWords) else { continue }
            further[index].isComment = false
            active += 1
        }
        if let list = UnitListGuess.find(in: profiles) {
            let question = list.question(tripID: fields[0].columns)
            let index = further.firstIndex { $0.columns == [list.profile.name] }
            if let index {
                (further[index].question, further[index].isComment) = (question, false)
            } else if fields[0].columns.contains(list.profile.name) {
                var field = Self.other(list.profile, &known)
                (field.question, field.isComment) = (question, false)
                further.append(field)
            }
        }
        self.fields = fields + further.filter { !$0.isComment }
        others = further.filter(\.isComment)
        personal = rest.filter(\.isPersonal).map(\.name)
    }

    /// The values of the field `owner` that stand for the organisation's own vehicles; empty where
    /// it does not tell them from those of vendors.
    var ownValues: [String] { fields.first { $0.name == "owner" }?.ownValues ?? [] }

    /// Whether a run can read the exports by the draft as it is.
    var canRun: Bool {
        !fields.contains { ["trip_id", "pickup_at"].contains($0.name) && $0.isComment }
    }

    /// What is left to be answered, each with its field or key.
    var questions: [(name: String, text: String)] {
        let shape = exports.shape
        var questions = fields.compactMap { field in field.question.map { (field.name, $0) } }
        questions += claimLines?.questions ?? []
        if case .missing = shape.header {
            if let titles = shape.titles.question { questions.append(("preamble_lines", titles)) }
            questions.append(("columns", "there is no header: name the columns in `dialect`"))
        }
        return questions
    }

    /// A field for a column that none was found for.
    private static func other(_ profile: ColumnProfile, _ known: inout Set<String>) -> DraftField {
        var name = profile.words.fieldName
        var number = 2
        if taken.contains(name) { name += "_column" }
        let start = name
        while !known.insert(name).inserted {
            name = "\(start)_\(number)"
            number += 1
        }
        var field = DraftField(
            name: name,
            columns: [profile.name],
            nullWords: profile.nullWords,
            evidence: "\(Counted.text(profile.distinctCount, "different value")) in "
                + Counted.text(profile.filledCount, "record"),
            isComment: true
        )
        if let time = profile.time {
            field.type = time.hasTime ? .timestamp : .date
            field.formats = time.formats
            field.take = time.take
            field.evidence =
                time.formats.joined(separator: ", ")
                + " \(time.formats.count == 1 ? "reads" : "read") "
                + profile.share(of: time.readCount)
        } else if profile.decimalCount > 0, profile.reads(.money, percent: 100) {
            field.type = .money
            field.evidence = "reads as money in " + profile.share(of: profile.filledCount)
        }
        return field
    }
}
