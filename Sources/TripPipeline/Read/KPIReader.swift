import TripEngine

/// Reads `kpis`.
enum KPIReader {
    static func read(_ value: YAMLValue?) throws(PipelineFault) -> KPIDefinition {
        var kpis = KPIDefinition(
            countWhen: nil,
            costField: "cost",
            isCostDeclared: false,
            settlesAfterDays: 90,
            suppressBelow: 11
        )
        guard let value else { return kpis }
        let faults = value.faults
        var map = try YAMLMap(value, "`kpis`")
        faults.noting { () throws(PipelineFault) in
            kpis.countWhen = try map.optional("count_when")?.located("`count_when`")
        }
        faults.noting { () throws(PipelineFault) in
            guard let cost = map.optional("cost") else { return }
            kpis.costField = try cost.textOrNull("`cost`")
            kpis.isCostDeclared = true
        }
        faults.noting { () throws(PipelineFault) in
            guard let days = map.optional("settles_after") else { return }
            kpis.settlesAfterDays = try self.days(days)
        }
        faults.noting { () throws(PipelineFault) in
            guard let least = map.optional("suppress_below") else { return }
            kpis.suppressBelow = try least.number("`suppress_below`")
            guard (0...1000).contains(kpis.suppressBelow) else {
                throw least.fault("`suppress_below` must lie between 0 and 1000")
            }
        }
        faults.noting { () throws(PipelineFault) in
            guard let goals = map.optional("goal") else { return }
            kpis.goals = try GoalReader.read(goals)
        }
        faults.noting { () throws(PipelineFault) in
            guard let measures = map.optional("measures") else { return }
            kpis.measures = try DeclaredReader.measures(measures)
        }
        faults.noting { () throws(PipelineFault) in
            guard let dimensions = map.optional("dimensions") else { return }
            kpis.dimensions = try DeclaredReader.dimensions(
                dimensions,
                beside: kpis.measures
            )
        }
        faults.noting { () throws(PipelineFault) in
            guard let start = map.optional("fiscal_year") else { return }
            kpis.fiscalYearStart = try DeclaredReader.fiscalYearStart(start)
        }
        faults.noting(map.finish)
        return kpis
    }

    private static func days(_ value: YAMLValue) throws(PipelineFault) -> Int {
        let parts = try value.text("`settles_after`").split(separator: " ")
        guard parts.count == 2, ["day", "days"].contains(parts[1]), let count = Int(parts[0]),
            (0...3660).contains(count)
        else { throw value.fault("`settles_after` must be a number of days such as `90 days`") }
        return count
    }
}

/// Reads `checks`.
enum CheckReader {
    static func read(_ value: YAMLValue?) throws(PipelineFault) -> [CheckDefinition] {
        guard let value else { return [] }
        var checks: [CheckDefinition] = []
        for entry in try value.list("`checks`") {
            value.faults.noting { () throws(PipelineFault) in
                var map = try YAMLMap(entry, "a check")
                let id = try map.required("id", "id: rejects").text("`id`")
                let errorIf = try map.optional("error_if")?.located("`error_if`")
                let warnIf = try map.optional("warn_if")?.located("`warn_if`")
                value.faults.noting(map.finish)
                guard errorIf == nil || warnIf == nil else {
                    throw entry.fault(
                        "the check `\(id)` has both `error_if` and `warn_if`",
                        suggestion: "Write two checks, each with an id and a limit of its own."
                    )
                }
                guard let condition = errorIf ?? warnIf else {
                    throw entry.fault("the check `\(id)` needs either `error_if` or `warn_if`")
                }
                guard !checks.contains(where: { $0.id == id }) else {
                    throw entry.fault("the check id `\(id)` occurs twice; ids are unique")
                }
                guard !id.hasPrefix(CheckDefinition.builtInPrefix) else {
                    throw entry.fault(
                        "the check id `\(id)` begins as those of the built-in checks do",
                        suggestion: "Choose another word; a check that names the same measure "
                            + "takes the place of the built-in one."
                    )
                }
                checks.append(
                    CheckDefinition(id: id, withholds: errorIf != nil, condition: condition)
                )
            }
        }
        return checks
    }
}
