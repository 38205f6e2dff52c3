import TripDomain
import TripEngine
import TripMart

/// Checks what the parts of a pipeline say of each other.
enum PipelineConsistency {
    static func check(_ pipeline: PipelineDefinition, at value: YAMLValue) throws(PipelineFault) {
        let fields = pipeline.sources.flatMap(\.layouts).flatMap(\.fields)
        try checkNames(pipeline, at: value)
        try checkDimensions(pipeline, at: value)
        try checkLookups(pipeline, fields: fields, at: value)
        if let cost = pipeline.kpis.costField,
            !fields.contains(where: { $0.name == cost && $0.type == .money })
        {
            throw value.fault(
                "`kpis: cost: \(cost)` names no field of type money",
                suggestion: Suggestion.text(
                    for: cost,
                    among: fields.filter { $0.type == .money }.map(\.name)
                )
            )
        }
        for source in pipeline.sources {
            guard case .field(let name) = source.order else { continue }
            guard pipeline.fieldColumns.contains(where: { $0.name == name && $0.kind == .text })
            else {
                throw value.fault(
                    "the source `\(source.name)` is ordered by `\(name)`, which is no text field"
                )
            }
        }
        guard pipeline.fieldColumns.count(where: { $0.kind == .patient }) <= 1 else {
            throw value.fault("more than one field has the type patient_id")
        }
    }

    private static func checkNames(
        _ pipeline: PipelineDefinition,
        at value: YAMLValue
    ) throws(PipelineFault) {
        var taken = pipeline.fieldColumns.map(\.name)
        taken += pipeline.fieldColumns.filter { $0.kind == .timestamp }
            .map { FieldDefinition.dateName(ofTimestamp: $0.name) }
        for derived in pipeline.derived {
            guard !taken.contains(derived.name) else {
                throw value.fault(
                    "the derived field `\(derived.name)` has the name of another field"
                )
            }
            taken.append(derived.name)
        }
        for name in taken where GenerationWriter.reservedNames.contains(name) {
            throw value.fault(
                "the field name `\(name)` is a column every trip has already",
                suggestion: "Choose another word, such as `source_\(name)`."
            )
        }
        for lookup in pipeline.lookups where taken.contains(lookup.name) {
            throw value.fault("the lookup `\(lookup.name)` has the name of a field")
        }
    }

    private static func checkDimensions(
        _ pipeline: PipelineDefinition,
        at value: YAMLValue
    ) throws(PipelineFault) {
        for name in ["region", "trip_type"] {
            let isField = pipeline.fieldColumns.contains { $0.name == name && $0.kind == .text }
            guard isField || pipeline.derived.contains(where: { $0.name == name }) else {
                throw value.fault(
                    "`\(name)` is neither a text field nor derived; every KPI is by it",
                    suggestion: "Add the field, or for example `derived: {\(name): \"'ALL'\"}`."
                )
            }
        }
    }

    private static func checkLookups(
        _ pipeline: PipelineDefinition,
        fields: [FieldDefinition],
        at value: YAMLValue
    ) throws(PipelineFault) {
        let texts = pipeline.fieldColumns.filter { $0.kind == .text }.map(\.name)
        let dates =
            pipeline.fieldColumns.filter { $0.kind == .date }.map(\.name)
            + fields.filter { $0.type == .timestamp }
            .map { FieldDefinition.dateName(ofTimestamp: $0.name) }
        for lookup in pipeline.lookups {
            for key in lookup.keys where !texts.contains(key.field) {
                throw value.fault(
                    "the lookup `\(lookup.name)` matches `\(key.field)`, which is no text field",
                    suggestion: Suggestion.text(for: key.field, among: texts)
                )
            }
            if let day = lookup.validOn, !dates.contains(day) {
                throw value.fault(
                    "the lookup `\(lookup.name)` is valid on `\(day)`, which is no date",
                    suggestion: Suggestion.text(for: day, among: dates)
                )
            }
        }
        if let zone = pipeline.zoneLookup,
            !pipeline.lookups.contains(where: { $0.name == zone.lookup && $0.cardinality == .one })
        {
            throw value.fault(
                "`zone_from` names the lookup `\(zone.lookup)`, which does not exist or may match "
                    + "several rows",
                suggestion: Suggestion.text(
                    for: zone.lookup,
                    among: pipeline.lookups.map(\.name)
                )
            )
        }
    }
}
