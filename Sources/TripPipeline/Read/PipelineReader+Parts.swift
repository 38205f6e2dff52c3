/// The parts of the pipeline file that are small, each read by one function.
extension PipelineReader {
    static func zoneLookup(
        _ value: YAMLValue
    ) throws(PipelineFault) -> (lookup: String, column: String)? {
        let parts = try value.text("`zone_from`").split(separator: ".").map(String.init)
        guard parts.count == 2 else {
            throw value.fault("`zone_from` must be `lookup.column`, such as `site.time_zone`")
        }
        return (parts[0], parts[1])
    }

    static func changes(
        _ value: YAMLValue
    ) throws(PipelineFault) -> (
        rules: PipelineDefinition.ChangePolicy?, reference: PipelineDefinition.ChangePolicy?,
        approval: PipelineDefinition.ApprovalPolicy?
    ) {
        var map = try YAMLMap(value, "`changes`")
        let words = PipelineDefinition.ChangePolicy.allCases
        let result = (
            rules: try map.word("rules", of: words),
            reference: try map.word("reference", of: words),
            approval: try map.word("approval", of: PipelineDefinition.ApprovalPolicy.allCases)
        )
        try map.finish()
        let applies = result.rules == .apply || result.reference == .apply
        guard result.approval != .dualControl || !applies else {
            throw value.fault(
                "`approval: second_person` and `apply` contradict each other: a run would publish "
                    + "edits without approval",
                suggestion: "Write hold, or leave `approval` out."
            )
        }
        return result
    }

    static func derived(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> [PipelineDefinition.DerivedField] {
        guard let value else { return [] }
        var fields: [PipelineDefinition.DerivedField] = []
        for (key, expression) in try YAMLMap(value, "`derived`").entries {
            value.faults.noting(naming: key.text) { () throws(PipelineFault) in
                try FieldReader.checkName(key.text, at: expression, what: "derived field")
                fields.append(
                    PipelineDefinition.DerivedField(
                        name: key.text,
                        expression: try expression.located("`\(key.text)`")
                    )
                )
            }
        }
        return fields
    }
}
