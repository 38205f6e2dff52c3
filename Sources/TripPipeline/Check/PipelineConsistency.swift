import TripDomain
import TripEngine
import TripRules

/// Checks that the parts of a pipeline agree with each other.
enum PipelineConsistency {
    /// Notes every fault.
    static func check(_ pipeline: PipelineDefinition, _ positions: PipelinePositions) {
        checkNames(pipeline, positions)
        checkDimensions(pipeline, positions)
        checkLookups(pipeline, positions)
        EvaluationOrder.check(pipeline, positions)
        checkOverrides(pipeline, positions)
        let faults = positions.faults
        faults.noting { () throws(PipelineFault) in try checkZone(pipeline, positions) }
        faults.noting { () throws(PipelineFault) in try checkZoneKeys(pipeline, positions) }
        faults.noting { () throws(PipelineFault) in try checkCost(pipeline, positions) }
        faults.noting { () throws(PipelineFault) in try checkTripIDs(pipeline, positions) }
        checkOrder(pipeline, positions)
        ClaimLineConsistency.check(pipeline, positions)
        faults.noting { () throws(PipelineFault) in try checkCodes(pipeline) }
        positions.faults.noting { () throws(PipelineFault) in
            try FieldConsistency.checkPatients(pipeline.sources.flatMap(\.layouts), positions)
        }
        let patients = pipeline.fieldColumns.filter { $0.kind == .patient }
        if patients.count > 1 {
            positions.faults.note(
                positions.fault(
                    field: patients[1].name,
                    "`\(patients[0].name)` and `\(patients[1].name)` both have the type "
                        + "patient_id; a trip has one patient"
                )
            )
        }
    }

    private static func checkNames(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) {
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        var taken: Set<String> = []
        for field in fields {
            for name in FieldConsistency.names(of: field) {
                guard !TripShape.reservedNames.contains(name) else {
                    positions.note(
                        field: field.name,
                        "the field `\(field.name)` gives the column `\(name)`, which every trip "
                            + "has already",
                        suggestion: "Choose another word, such as `source_\(field.name)`."
                    )
                    continue
                }
                taken.insert(name)
            }
        }
        for derived in pipeline.derived {
            guard !TripShape.reservedNames.contains(derived.name) else {
                positions.note(
                    ["derived", derived.name],
                    "the derived field `\(derived.name)` is a column every trip has already",
                    suggestion: "Choose another word."
                )
                continue
            }
            guard taken.insert(derived.name).inserted else {
                positions.note(
                    ["derived", derived.name],
                    "the derived field `\(derived.name)` has the name of another field",
                    suggestion: "Choose another word; a time stamp also takes `…_utc` and its "
                        + "local day `…_date`."
                )
                continue
            }
        }
        for count in pipeline.countedConditions {
            let name = count.measure.name
            guard taken.insert(name).inserted, !TripShape.reservedNames.contains(name) else {
                positions.note(
                    ["kpis", "measures", name],
                    "the measure `\(name)` has the name of a column that trips have already",
                    suggestion: "Choose another word; its condition is stored with every trip."
                )
                continue
            }
        }
        if taken.count > FieldConsistency.columnLimit {
            positions.note(
                ["derived"],
                "fields and derived fields give \(taken.count) columns; a trip has at most "
                    + "\(FieldConsistency.columnLimit)"
            )
        }
        for lookup in pipeline.lookups where taken.contains(lookup.name) {
            positions.note(
                ["lookups", lookup.name],
                "the lookup `\(lookup.name)` has the name of a field",
                suggestion: "Rules could not tell them apart; choose another word."
            )
        }
    }

    private static func checkDimensions(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) {
        for name in ["region", "trip_type"] {
            let isField = pipeline.fieldColumns.contains { $0.name == name }
            let isDerived = pipeline.derived.contains { $0.name == name }
            if !isField, !isDerived, !positions.faults.mayBeUnread(name) {
                positions.note(
                    ["fields"],
                    "`\(name)` is neither a text field nor derived; every KPI is grouped by it",
                    suggestion: "Add the field, or for example `derived: {\(name): \"'ALL'\"}`."
                )
            }
        }
    }

    private static func checkLookups(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) {
        let texts = earlyTexts(pipeline)
        let dates = pipeline.fieldColumns.compactMap { column -> String? in
            switch column.kind {
            case .date: column.name
            case .timestamp where !column.name.hasSuffix("_utc"):
                ShapeColumn.dateName(ofTimestamp: column.name)
            default: nil
            }
        }
        let keys = texts + pipeline.derived.map(\.name)
        for lookup in pipeline.lookups {
            for key in lookup.keys
            where !keys.contains(key.field) && !positions.faults.mayBeUnread(key.field) {
                positions.note(
                    ["lookups", lookup.name, "match", key.field],
                    "the lookup `\(lookup.name)` matches `\(key.field)`, "
                        + mismatch(key.field, pipeline),
                    suggestion: Suggestion.text(for: key.field, among: keys)
                )
            }
            if let day = lookup.validOn, !dates.contains(day), !positions.faults.mayBeUnread(day) {
                positions.note(
                    ["lookups", lookup.name, "valid_on"],
                    "the lookup `\(lookup.name)` is valid on `\(day)`, which is "
                        + (pipeline.derived.contains { $0.name == day }
                            ? "derived; it must be a date of the export" : "no date"),
                    suggestion: Suggestion.text(for: day, among: dates)
                )
            }
        }
    }

    /// The texts of the export that are known before look-ups and rules are tried.
    private static func earlyTexts(_ pipeline: PipelineDefinition) -> [String] {
        let late = pipeline.lateFields
        return pipeline.fieldColumns.filter { $0.kind == .text && !late.contains($0.name) }
            .map(\.name)
    }

    /// Why a name is no text of the export.
    private static func mismatch(_ name: String, _ pipeline: PipelineDefinition) -> String {
        if pipeline.derived.contains(where: { $0.name == name }) {
            return "which is derived; it must be a text of the export"
        }
        if pipeline.lateFields.contains(name) {
            return "which is the source position; it must be a text of the export"
        }
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        guard let field = fields.first(where: { $0.name == name }) else {
            return "which is no field"
        }
        return "which has the type \(field.type.rawValue); it must be a text"
    }

    /// Refuses names that a list of overrides needs.
    private static func checkOverrides(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) {
        guard pipeline.overrides != nil else { return }
        if pipeline.lookups.contains(where: { $0.name == OverrideList.name }) {
            positions.note(
                ["lookups", OverrideList.name],
                "the lookup `\(OverrideList.name)` has a name that is reserved for `overrides`",
                suggestion: "Choose another word."
            )
        }
        let prefix = OverrideList.rulePrefix
        if let rule = pipeline.rules.first(where: { $0.id.hasPrefix(prefix) }) {
            positions.faults.note(
                rule.when.fault(
                    "the rule id `\(rule.id)` begins with `\(prefix)`, as those of `overrides` do",
                    suggestion: "Choose another word."
                )
            )
        }
    }

    private static func checkCost(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        guard let cost = pipeline.kpis.costField, !positions.faults.mayBeUnread(cost),
            !fields.contains(where: { $0.name == cost && $0.type == .money }),
            pipeline.derivedCost == nil
        else { return }
        guard pipeline.kpis.isCostDeclared else {
            throw positions.fault(
                field: cost,
                key: "type",
                "`\(cost)` is the amount that is summed, so it must have the type money",
                suggestion: "Remove `type`, give the field another name, or write "
                    + "`kpis: {cost: null}`."
            )
        }
        throw positions.fault(
            ["kpis", "cost"],
            "`kpis: cost: \(cost)` does not name a field of type money or a derived field of whole "
                + "cents",
            suggestion: Suggestion.text(
                for: cost,
                among: fields.filter { $0.type == .money }.map(\.name)
                    + pipeline.derived.map(\.name)
            )
        )
    }

    /// Refuses a check whose id is that of the check which `trip_ids: unique` adds.
    private static func checkTripIDs(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        guard pipeline.tripIDs == .unique,
            pipeline.checks.contains(where: { $0.id == CheckDefinition.tripIDs })
        else { return }
        throw positions.fault(
            ["checks"],
            "the check id `\(CheckDefinition.tripIDs)` is reserved for the check that "
                + "`trip_ids: unique` adds",
            suggestion: "Choose another word."
        )
    }

    /// Refuses an example whose value for a list of codes is none.
    private static func checkCodes(_ pipeline: PipelineDefinition) throws(PipelineFault) {
        let names = pipeline.codeFields
        for rule in pipeline.rules {
            for example in rule.decides + rule.leaves {
                for (name, text) in example.sorted(by: { $0.key < $1.key }) {
                    guard names.contains(name), let text, CodeList.codes(text) == nil else {
                        continue
                    }
                    throw rule.when.fault(
                        "an example of the rule `\(rule.id)` has '\(text)' as `\(name)`, which "
                            + "is no list of two-character codes",
                        suggestion: "Write them with or without blanks: `RHQN` or `RH QN`."
                    )
                }
            }
        }
    }

    private static func checkOrder(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) {
        let texts = earlyTexts(pipeline)
        for source in pipeline.sources {
            guard case .field(let name) = source.order, !texts.contains(name),
                !positions.faults.mayBeUnread(name)
            else { continue }
            positions.note(
                ["sources", source.name, "order", "field"],
                "the source `\(source.name)` is ordered by `\(name)`, "
                    + mismatch(name, pipeline),
                suggestion: Suggestion.text(for: name, among: texts)
            )
        }
    }
}
