internal import TripDomain

/// The rules: one CASE for the deciding one, and a row for what each says.
extension ClassificationSQL {
    /// Columns under names that no field can have: rules read fields beside them.
    private static let (overriddenTrip, overridingRule) = ("override.trip_id", "override.number")

    /// Adds what each rule says; row 0 is that of no rule.
    mutating func addRules() {
        let none = "CAST(NULL AS \(dialect.typeName(.text)))"
        let rows =
            ["(0, \(dialect == .sqlite ? "NULL" : none), 'undetermined', '')"]
            + classifier.rules.map { rule in
                let texts = [rule.id, rule.tripClass.word, rule.basis].map(dialect.literal)
                return "(\(rule.number), \(texts.joined(separator: ", ")))"
            }
        add(
            "rule(number, id, class, basis)",
            "What each rule says of a trip; number 0 where none holds.",
            "VALUES\n  " + rows.joined(separator: ",\n  ")
        )
        guard overrides != nil else { return }
        let count = classifier.ruleSet.rules.count
        let table = quoted(TripSQL.tableName(of: OverrideList.name))
        let source = tables.reference(table)
        add(
            "overridden",
            "Trips decided by hand, until the data goes past the last day.",
            """
            SELECT
              \(table).trip_id AS \(quoted(Self.overriddenTrip)),
              rule.number AS \(quoted(Self.overridingRule))
            FROM \(source == table ? table : "\(source) AS \(table)")
            JOIN rule
              ON rule.number > \(count)
              AND rule.class = \(table).class
              AND rule.basis = coalesce(\(table).basis, '')
            WHERE \(table).expires >= (SELECT data_through FROM \(tables.generation))
            """
        )
    }

    /// Adds the deciding rule and whether a trip counts.
    ///
    /// - Parameter countWhen: The text of the condition for counting.
    mutating func addDecisions(_ countWhen: String?) {
        var lines: [String] = []
        if overrides != nil {
            let number = quoted(Self.overridingRule)
            lines.append("    WHEN \(number) IS NOT NULL THEN \(number)")
        }
        for (index, rule) in classifier.ruleSet.rules.enumerated() {
            let definition = rule.definition
            var days: [String] = []
            if let from = definition.validFrom { days.append("pickup_date >= '\(from.text)'") }
            if let to = definition.validTo { days.append("pickup_date <= '\(to.text)'") }
            let condition = condition(rule.flatProgram, .rule(index), after: days)
            let because = definition.because.split(whereSeparator: \.isNewline)
                .joined(separator: " ")
            lines.append("    -- \(definition.id): \(because)")
            lines.append("    WHEN \(condition) THEN \(rule.number)")
        }
        let decision =
            lines.isEmpty ? "  0" : "  CASE\n\(lines.joined(separator: "\n"))\n    ELSE 0\n  END"
        let join =
            overrides == nil
            ? ""
            : "\nLEFT JOIN overridden\n  ON overridden.\(quoted(Self.overriddenTrip))"
                + " = \(last).\(tripKey)"
        add(
            "decided",
            "The first rule that holds decides.",
            "SELECT\n  \(last).*,\n\(decision) AS rule_number,\n  \(counted(countWhen)) AS counted\n"
                + "FROM \(last)\(join)"
        )
    }

    private mutating func counted(_ countWhen: String?) -> String {
        guard let countWhen else { return "1" }
        let scope = classifier.ruleSet.flatScope
        // The text was compiled before, with its look-ups.
        guard let parsed = try? ParsedExpression(parsing: countWhen),
            let program = try? scope.compile(parsed, expecting: .condition)
        else { preconditionFailure("the condition for counting has been compiled") }
        return "CASE WHEN \(condition(program, .countWhen)) THEN 1 ELSE 0 END"
    }
}
