import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The changes of a pipeline folder and its reference files since a generation was published: one
/// clause for each edit, with its position in the file.
public struct FolderEdits: Sendable {
    /// The edits that are shown: rules, in the order of the folder; then other parts, by their
    /// position in the pipeline file; then reference files, each with some of its edits and a count
    /// of the rest.
    public private(set) var clauses: [String] = []
    /// Every edit, in the same order.
    public private(set) var all: [String] = []
    /// The number of edits.
    public var count: Int { all.count }
    /// The edits of reference files, by name.
    private(set) var references: [String: ReferenceEdits] = [:]
    /// The edits of the decisions made by hand; nil where there are none.
    private(set) var overrides: ReferenceEdits?
    /// The parts of the pipeline that decide differently.
    let parts: [String]
    /// The ids of the rules that are added, removed or moved, or decide differently.
    private(set) var decidingRules: Set<String> = []

    /// Compares the inputs that a generation stores with the folder.
    ///
    /// - Throws: `ReferenceFaults` where a reference file is no table.
    init(_ kept: FolderReading.Kept, _ folder: FolderReading) throws {
        parts = DecisionText.differences(kept.pipeline, folder.pipeline)
        addRules(kept.pipeline.rules, folder.pipeline.rules)
        if parts.contains("derived") { addDerived(kept.pipeline.derived, folder.pipeline.derived) }
        if parts.contains("lookups") { addLookups(kept.pipeline, folder.pipeline) }
        let file = folder.pipeline.files.first?.path ?? "pipeline.yaml"
        clauses += parts.filter { !Self.partsByEdit.contains($0) }.map { part in
            let counting = part == "kpis" ? folder.pipeline.kpis.countWhen : nil
            return "\(counting.map { "\($0.file):\($0.line)" } ?? file): \(part) changed"
        }
        all = clauses
        if parts.contains("overrides") {
            let edits = try Self.overrides(kept.pipeline.overrides, folder.pipeline.overrides)
            clauses += edits.clauses
            all += edits.all
            overrides = edits
        }
        let pipelines = [kept.pipeline, folder.pipeline]
        let files = (kept.references + folder.references).map { ByteText($0.path) }
        for name in Set(files).sorted().map(\.text) {
            let edits = try ReferenceEdits(
                name,
                kept.references.file(name)?.content,
                folder.references.file(name)?.content,
                keys: Self.keys(of: name, pipelines)
            )
            clauses += edits.clauses
            all += edits.all
            if !edits.all.isEmpty { references[name] = edits }
        }
    }

    /// Parts whose edits are listed one by one.
    private static let partsByEdit: Set = ["rules", "derived", "lookups", "overrides"]

    /// The edits of the list of overrides; a new or removed list is compared with one without
    /// lines.
    private static func overrides(
        _ before: OverrideFile?,
        _ now: OverrideFile?
    ) throws -> ReferenceEdits {
        try ReferenceEdits(
            now?.path ?? before?.path ?? "",
            before?.content ?? now?.withoutLines,
            now?.content ?? before?.withoutLines,
            keys: ["trip_id"],
            rowsAre: .overrides
        )
    }

    /// The columns by which look-ups find the rows of a file; the column of the first day is last.
    private static func keys(of file: String, _ pipelines: [PipelineDefinition]) -> [String] {
        let lookups = pipelines.flatMap(\.lookups).filter { $0.file == file }
        let labels = pipelines.flatMap(\.labels.values).filter { $0.file == file }
        var keys: [String] = []
        let names =
            lookups.flatMap { $0.keys.map(\.column) } + labels.map(\.valueColumn)
            + lookups.filter { $0.validOn != nil }.map(\.fromColumn)
        for name in names where !keys.contains(name) { keys.append(name) }
        return keys
    }

    private mutating func addRules(_ before: [RuleText], _ now: [RuleText]) {
        let kept = Set(before.map(\.id)).intersection(now.map(\.id))
        let moved = Self.moved(
            before.map(\.id).filter(kept.contains),
            now.map(\.id).filter(kept.contains)
        )
        for (index, rule) in now.enumerated() {
            let position = "\(rule.when.file):\(rule.when.line)"
            guard let old = before.first(where: { $0.id == rule.id }) else {
                decidingRules.insert(rule.id)
                clauses.append(
                    "\(position): rule \(rule.id) added as the \(Counted.ordinal(index + 1))"
                )
                continue
            }
            let changed = Self.differences(old, rule)
            if moved.contains(rule.id) || Self.decidesDifferently(old, rule) {
                decidingRules.insert(rule.id)
            }
            if !changed.isEmpty {
                clauses.append("\(position): rule \(rule.id): \(changed.joined(separator: ", "))")
            }
            if moved.contains(rule.id) {
                let from = before.firstIndex { $0.id == rule.id }.map {
                    Counted.ordinal($0 + 1)
                }
                clauses.append(
                    "\(position): rule \(rule.id) moved from \(from ?? "") to "
                        + Counted.ordinal(index + 1)
                )
            }
        }
        for rule in before where !kept.contains(rule.id) {
            decidingRules.insert(rule.id)
            clauses.append(
                "\(rule.when.file): rule \(rule.id) removed, before in line \(rule.when.line)"
            )
        }
    }

    /// The differences between two versions of a rule that affect decisions.
    static func differences(_ old: RuleText, _ new: RuleText) -> [String] {
        var parts: [String] = []
        if ByteText(old.when.text) != ByteText(new.when.text) { parts.append("another condition") }
        if old.tripClass != new.tripClass || ByteText(old.basis) != ByteText(new.basis) {
            let before = old.tripClass.word(basis: old.basis)
            parts.append("\(before) is now \(new.tripClass.word(basis: new.basis))")
        }
        if (old.validFrom, old.validTo) != (new.validFrom, new.validTo) {
            parts.append("holds from \(span(new)), before from \(span(old))")
        }
        if ByteText(old.because) != ByteText(new.because) { parts.append("another sentence") }
        return parts
    }

    /// Whether two versions of a rule can give a trip another result; another sentence alone does
    /// not.
    private static func decidesDifferently(_ old: RuleText, _ new: RuleText) -> Bool {
        ByteText(old.when.text) != ByteText(new.when.text) || old.tripClass != new.tripClass
            || ByteText(old.basis) != ByteText(new.basis)
            || (old.validFrom, old.validTo) != (new.validFrom, new.validTo)
    }

    private static func span(_ rule: RuleText) -> String {
        "\(rule.validFrom?.text ?? "ever") to \(rule.validTo?.text ?? "ever")"
    }

    private mutating func addLookups(
        _ before: PipelineDefinition,
        _ now: PipelineDefinition
    ) {
        func position(_ name: String, _ pipeline: PipelineDefinition) -> String {
            pipeline.lookupPositions[name].map { "\($0.file):\($0.line)" } ?? "pipeline.yaml"
        }
        for lookup in now.lookups {
            let old = before.lookups.first { $0.name == lookup.name }
            guard old.map(DecisionText.lookup) != DecisionText.lookup(lookup) else { continue }
            clauses.append(
                "\(position(lookup.name, now)): look-up \(lookup.name) "
                    + (old == nil ? "added" : "changed")
            )
        }
        for lookup in before.lookups where !now.lookups.contains(where: { $0.name == lookup.name })
        {
            clauses.append("\(position(lookup.name, before)): look-up \(lookup.name) removed")
        }
        let kept = before.lookups.map(\.name)
        if kept != now.lookups.map(\.name), Set(kept) == Set(now.lookups.map(\.name)) {
            clauses.append("\(position(kept[0], now)): look-ups in another order")
        }
    }

    private mutating func addDerived(
        _ before: [PipelineDefinition.DerivedField],
        _ now: [PipelineDefinition.DerivedField]
    ) {
        for field in now {
            let position = "\(field.expression.file):\(field.expression.line)"
            guard let old = before.first(where: { $0.name == field.name }) else {
                clauses.append("\(position): derived field \(field.name) added")
                continue
            }
            if ByteText(old.expression.text) != ByteText(field.expression.text) {
                clauses.append("\(position): derived field \(field.name): another expression")
            }
        }
        for field in before where !now.contains(where: { $0.name == field.name }) {
            clauses.append("\(field.expression.file): derived field \(field.name) removed")
        }
        if before.map(\.name) != now.map(\.name), Set(before.map(\.name)) == Set(now.map(\.name)) {
            clauses.append("\(now[0].expression.file): derived fields in another order")
        }
    }

    /// The fewest ids that have to move to get from one order to the other: those outside a longest
    /// increasing subsequence.
    private static func moved(_ before: [String], _ now: [String]) -> Set<String> {
        let indexes = now.compactMap { before.firstIndex(of: $0) }
        // The length of the longest increasing subsequence that ends at each index, and its
        // previous index.
        var lengths = [Int](repeating: 1, count: indexes.count)
        var origins = [Int?](repeating: nil, count: indexes.count)
        for end in indexes.indices {
            for start in 0..<end
            where indexes[start] < indexes[end] && lengths[start] + 1 > lengths[end] {
                (lengths[end], origins[end]) = (lengths[start] + 1, start)
            }
        }
        var staying: Set<String> = []
        var index = lengths.indices.max { (lengths[$0], $1) < (lengths[$1], $0) }
        while let here = index {
            staying.insert(now[here])
            index = origins[here]
        }
        return Set(now).subtracting(staying)
    }
}
