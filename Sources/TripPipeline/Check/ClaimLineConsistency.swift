import TripDomain
import TripEngine
import TripRules

/// Checks that the lines of a source agree with the fields of its layouts.
struct ClaimLineConsistency {
    private let pipeline: PipelineDefinition
    private let positions: PipelinePositions
    private let source: SourceDefinition
    private let lines: ClaimLineDefinition
    private let types: [String: FieldType]

    /// Notes every fault of every source with `lines`.
    static func check(_ pipeline: PipelineDefinition, _ positions: PipelinePositions) {
        for source in pipeline.sources {
            guard let lines = source.lines else { continue }
            let fields = source.layouts.flatMap(\.fields)
            ClaimLineConsistency(
                pipeline: pipeline,
                positions: positions,
                source: source,
                lines: lines,
                types: Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
            ).check()
        }
    }

    /// Notes a kind of lines that is no text.
    static func checkKinds(_ pipeline: PipelineDefinition, _ shape: TripShape, _ faults: FaultList)
    {
        for source in pipeline.sources {
            guard let lines = source.lines, let position = source.lineKindPosition,
                let column = shape.columns.first(where: { $0.name == lines.kind }),
                column.kind != .text
            else { continue }
            faults.note(
                position.fault(
                    "the lines of `\(source.name)` have the kind `\(lines.kind)`, which is no text",
                    suggestion: "Derive a text: `line_kind: CAST(\(lines.kind) AS TEXT)`."
                )
            )
        }
    }

    private func check() {
        for name in lines.claim { checkText(name, "claim") }
        for name in lines.replaced { checkText(name, "replaces") }
        if let name = lines.line { checkText(name, "line") }
        if let name = lines.frequency?.field { checkText(name, "frequency") }
        if !pipeline.derived.contains(where: { $0.name == lines.kind }) {
            checkText(lines.kind, "kind")
        }
        checkDerivedKind()
        checkShared()
        checkSums()
        if !lines.replaced.isEmpty, lines.replaced.count != lines.claim.count {
            note(
                "replaces",
                "`replaces` has \(Counted.text(lines.replaced.count, "field")) and `claim` "
                    + "\(lines.claim.count); both name a claim",
                "Name the same fields in the same order."
            )
        }
        if source.layouts.contains(where: { $0.fields.contains { $0.separator != nil } }) {
            note(
                "claim",
                "the source `\(source.name)` has `lines` and a field with `split`",
                "A record is a line of a claim, or it has several units; not both."
            )
        }
        if pipeline.tripIDs == .unique {
            note(
                "claim",
                "`trip_ids: unique` and the `lines` of `\(source.name)` exclude each other: a claim "
                    + "that is sent again replaces its lines",
                "Remove `trip_ids`."
            )
        }
    }

    /// A field must be a text of each layout.
    private func checkText(_ name: String, _ key: String) {
        guard !positions.faults.mayBeUnread(name) else { return }
        let texts = types.filter { $0.value.columnKind == .text }.map(\.key)
        guard texts.contains(name) else {
            let found = types[name].map { "is \($0.rawValue); it must be a text" } ?? "is no field"
            note(
                key,
                "`\(key)` of the lines of `\(source.name)` names `\(name)`, which \(found)",
                Suggestion.text(for: name, among: texts)
            )
            return
        }
        guard key == "claim" || key == "kind",
            let layout = source.layouts.first(where: { !$0.fields.contains { $0.name == name } })
        else { return }
        note(
            key,
            "the layout `\(layout.name)` lacks `\(name)`, which the lines of `\(source.name)` need",
            "Add the field to the layout."
        )
    }

    /// A derived kind must read no field of `add`: a trip has the sum, and would be of another kind
    /// than its base line.
    private func checkDerivedKind() {
        let read = DerivedSources(pipeline, of: [lines.kind]).columns
        for sum in lines.sums where sum.field != lines.kind {
            guard let type = types[sum.field] else { continue }
            let column = ShapeColumn.name(ofField: sum.field, type.columnKind)
            guard read.contains(column) else { continue }
            note(
                "kind",
                "the kind `\(lines.kind)` of the lines of `\(source.name)` reads `\(column)`, "
                    + "which `add` makes a sum: a trip would be of another kind than its base "
                    + "line",
                "Derive the kind from fields that `add` does not name."
            )
        }
    }

    private func checkShared() {
        for name in lines.shared where !positions.faults.mayBeUnread(name) {
            guard let type = types[name] else {
                note(
                    "same",
                    "`same` names `\(name)`, which is no field of `\(source.name)`",
                    Suggestion.text(for: name, among: Array(types.keys))
                )
                continue
            }
            if type == .patientID || name == "trip_id" {
                note(
                    "same",
                    "`same` names `\(name)`, which does not tell the trips of a claim apart",
                    "Name what a mileage line has in common with its base line, such as the day "
                        + "and the modifier."
                )
            }
        }
    }

    private func checkSums() {
        let numbers: Set<FieldType> = [.money, .miles, .integer]
        for sum in lines.sums where !positions.faults.mayBeUnread(sum.field) {
            guard let type = types[sum.field], numbers.contains(type) else {
                let found = types[sum.field].map { "is \($0.rawValue)" } ?? "is no field"
                note(
                    "add",
                    "`add` names `\(sum.field)`, which \(found); expected money, miles or a whole "
                        + "number",
                    Suggestion.text(
                        for: sum.field,
                        among: types.filter { numbers.contains($0.value) }.map(\.key)
                    )
                )
                continue
            }
        }
        if let cost = pipeline.derivedCost { checkDerivedCost(cost) }
        guard let cost = pipeline.kpis.costField, types[cost] != nil else { return }
        requireAllLines(of: cost, "`\(cost)` is the amount that is summed")
    }

    /// An amount that trips cost must be added over all lines of a claim.
    private func requireAllLines(of amount: String, _ why: String) {
        let sum = lines.sums.first { $0.field == amount }
        guard sum?.kinds.count != ClaimLineDefinition.Kind.allCases.count else { return }
        note(
            "add",
            "\(why), and `add` "
                + (sum == nil ? "lacks it" : "takes it from some lines alone")
                + ", so that dollars of lines would be lost",
            "Write `\(amount): all`."
        )
    }

    /// A derived cost must be a sum, of which each part is added over all lines: what a trip costs
    /// is then what its lines cost together, and each line has its own amount in the ledger.
    private func checkDerivedCost(_ cost: String) {
        guard let field = pipeline.derived.first(where: { $0.name == cost }),
            // An expression that cannot be parsed has a fault of its own.
            let parsed = try? ParsedExpression(parsing: field.expression.text)
        else { return }
        let amounts = types.filter { $0.value == .money }.map(\.key)
        let columns = Set(
            pipeline.fieldColumns.filter { $0.kind == .money && !$0.isDerived }.map(\.name)
        )
        guard let parts = parsed.summands, columns.isSuperset(of: parts) else {
            positions.note(
                ["derived", cost],
                "`\(cost)` is the amount that is summed, and `\(source.name)` has `lines`: what "
                    + "a trip costs must be what its lines cost together, and so a sum of money "
                    + "fields in which a blank is 0",
                suggestion: "Write it as coalesce(a_cents, 0) + coalesce(b_cents, 0). Where the "
                    + "first of several columns counts, a field says so: "
                    + "`from: {first: [A, B]}`."
            )
            return
        }
        for name in amounts.sorted()
        where parts.contains(ShapeColumn.name(ofField: name, .money)) {
            requireAllLines(of: name, "`\(cost)`, the amount that is summed, reads `\(name)`")
        }
    }

    private func note(_ key: String, _ message: String, _ suggestion: String) {
        positions.note(
            ["sources", source.name, "lines", key],
            message,
            suggestion: suggestion
        )
    }
}
