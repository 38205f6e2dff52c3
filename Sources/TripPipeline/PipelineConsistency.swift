import TripDomain
import TripEngine
import TripRules

/// Checks that the parts of a pipeline agree with each other.
enum PipelineConsistency {
    static func check(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        try checkNames(pipeline, positions)
        try checkDimensions(pipeline, positions)
        try checkLookups(pipeline, positions)
        try checkOverrides(pipeline, positions)
        try checkZone(pipeline, positions)
        try checkCost(pipeline, positions)
        try checkOrder(pipeline, positions)
        try checkTripIDs(pipeline, positions)
        try FieldConsistency.checkPatients(pipeline.sources.flatMap(\.layouts), positions)
        let patients = pipeline.fieldColumns.filter { $0.kind == .patient }
        if patients.count > 1 {
            throw positions.fault(
                field: patients[1].name,
                "`\(patients[0].name)` and `\(patients[1].name)` both have the type patient_id; "
                    + "a trip has one patient"
            )
        }
    }

    private static func checkNames(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        var taken: Set<String> = []
        for field in fields {
            for name in FieldConsistency.names(of: field) {
                guard !TripShape.reservedNames.contains(name) else {
                    throw positions.fault(
                        field: field.name,
                        "the field `\(field.name)` gives the column `\(name)`, which every trip "
                            + "has already",
                        suggestion: "Choose another word, such as `source_\(field.name)`."
                    )
                }
                taken.insert(name)
            }
        }
        for derived in pipeline.derived {
            guard !TripShape.reservedNames.contains(derived.name) else {
                throw positions.fault(
                    ["derived", derived.name],
                    "the derived field `\(derived.name)` is a column every trip has already",
                    suggestion: "Choose another word."
                )
            }
            guard taken.insert(derived.name).inserted else {
                throw positions.fault(
                    ["derived", derived.name],
                    "the derived field `\(derived.name)` has the name of another field",
                    suggestion: "Choose another word; a time stamp also takes `…_utc` and its "
                        + "local day `…_date`."
                )
            }
        }
        guard taken.count <= FieldConsistency.columnLimit else {
            throw positions.fault(
                ["derived"],
                "fields and derived fields give \(taken.count) columns; a trip has at most "
                    + "\(FieldConsistency.columnLimit)"
            )
        }
        for lookup in pipeline.lookups where taken.contains(lookup.name) {
            throw positions.fault(
                ["lookups", lookup.name],
                "the lookup `\(lookup.name)` has the name of a field",
                suggestion: "Rules could not tell them apart; choose another word."
            )
        }
    }

    private static func checkDimensions(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        for name in ["region", "trip_type"] {
            let isField = pipeline.fieldColumns.contains { $0.name == name }
            guard isField || pipeline.derived.contains(where: { $0.name == name }) else {
                throw positions.fault(
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
    ) throws(PipelineFault) {
        let texts = pipeline.fieldColumns.filter { $0.kind == .text }.map(\.name)
        let dates = pipeline.fieldColumns.compactMap { column -> String? in
            switch column.kind {
            case .date: column.name
            case .timestamp where !column.name.hasSuffix("_utc"):
                ShapeColumn.dateName(ofTimestamp: column.name)
            default: nil
            }
        }
        for lookup in pipeline.lookups {
            for key in lookup.keys where !texts.contains(key.field) {
                throw positions.fault(
                    ["lookups", lookup.name, "match", key.field],
                    "the lookup `\(lookup.name)` matches `\(key.field)`, which is no text field",
                    suggestion: Suggestion.text(for: key.field, among: texts)
                )
            }
            if let day = lookup.validOn, !dates.contains(day) {
                throw positions.fault(
                    ["lookups", lookup.name, "valid_on"],
                    "the lookup `\(lookup.name)` is valid on `\(day)`, which is no date",
                    suggestion: Suggestion.text(for: day, among: dates)
                )
            }
        }
    }

    /// Refuses names that a list of overrides needs.
    private static func checkOverrides(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        guard pipeline.overrides != nil else { return }
        if pipeline.lookups.contains(where: { $0.name == OverrideList.name }) {
            throw positions.fault(
                ["lookups", OverrideList.name],
                "the lookup `\(OverrideList.name)` has a name that is reserved for `overrides`",
                suggestion: "Choose another word."
            )
        }
        let prefix = OverrideList.rulePrefix
        if let rule = pipeline.rules.first(where: { $0.id.hasPrefix(prefix) }) {
            throw rule.when.fault(
                "the rule id `\(rule.id)` begins with `\(prefix)`, as those of `overrides` do",
                suggestion: "Choose another word."
            )
        }
    }

    private static func checkZone(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        guard let zone = pipeline.zoneLookup,
            !pipeline.lookups.contains(where: { $0.name == zone.lookup && $0.cardinality == .one })
        else { return }
        throw positions.fault(
            ["zone_from"],
            "`zone_from` names the lookup `\(zone.lookup)`, which does not exist or may match "
                + "several rows",
            suggestion: Suggestion.text(
                for: zone.lookup,
                among: pipeline.lookups.filter { $0.cardinality == .one }.map(\.name)
            )
        )
    }

    private static func checkCost(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        guard let cost = pipeline.kpis.costField,
            !fields.contains(where: { $0.name == cost && $0.type == .money })
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
            "`kpis: cost: \(cost)` does not name a field of type money",
            suggestion: Suggestion.text(
                for: cost,
                among: fields.filter { $0.type == .money }.map(\.name)
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

    private static func checkOrder(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        let texts = pipeline.fieldColumns.filter { $0.kind == .text }.map(\.name)
        for source in pipeline.sources {
            guard case .field(let name) = source.order, !texts.contains(name) else { continue }
            throw positions.fault(
                ["sources", source.name, "order", "field"],
                "the source `\(source.name)` is ordered by `\(name)`, which is no text field",
                suggestion: Suggestion.text(for: name, among: texts)
            )
        }
    }
}

/// The positions of the parts of a pipeline in its files, so that a fault of the whole still names
/// its line.
struct PipelinePositions {
    /// The pipeline file.
    let root: YAMLValue
    /// The `fields` of each layout, in the order of the sources and of their layouts.
    let fields: [YAMLValue]

    /// A fault of the value at a path of keys of the pipeline file.
    func fault(
        _ path: [String],
        _ message: String,
        suggestion: String = ""
    ) -> PipelineFault {
        root.fault(at: path, message, suggestion: suggestion)
    }

    /// A fault of a field, in the first layout that has it.
    func fault(
        field name: String,
        key: String? = nil,
        _ message: String,
        suggestion: String = ""
    ) -> PipelineFault {
        let layout = fields.first { value in
            guard case .map(let pairs) = value.content else { return false }
            return pairs.contains { $0.key.text == name }
        }
        return (layout ?? root).fault(
            at: [name] + [key].compactMap(\.self),
            message,
            suggestion: suggestion
        )
    }
}
