import TripRules

/// Where the time zones of trips come from.
extension PipelineConsistency {
    /// Refuses a zone from a look-up that does not exist or may match several rows.
    static func checkZone(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        guard let zone = pipeline.zoneLookup, !positions.faults.mayBeUnread(zone.lookup),
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

    /// Refuses a zone that depends on a derived field: times are known before fields are derived.
    static func checkZoneKeys(
        _ pipeline: PipelineDefinition,
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        guard let zone = pipeline.zoneLookup,
            let lookup = pipeline.lookups.first(where: { $0.name == zone.lookup }),
            let key = lookup.keys.first(where: { key in
                pipeline.derived.contains { $0.name == key.field }
            })
        else { return }
        throw positions.fault(
            ["zone_from"],
            "`zone_from` names the lookup `\(lookup.name)`, which matches the derived field "
                + "`\(key.field)`; derived fields read local times, which are not known before",
            suggestion: "Match a field of the export; `take` and `part` cut it."
        )
    }
}
