import TripDomain
public import TripPipeline
import TripRules

/// The SELECT a rule's text can be pasted into, for the sqlite3 shell on a generation file.
///
/// Every lookup becomes a join under its own name, with `matched` and `match_count`, so that
/// `site.region` and `award.matched = 1` read as they do in a rule.
public enum RuleSQL {
    /// The whole statement.
    ///
    /// - Parameter compiled: The pipeline, with its look-ups loaded.
    /// - Returns: The statement, with every rule's condition in comments below it.
    public static func select(_ compiled: CompiledPipeline) -> String {
        let rules = compiled.pipeline.rules
        var lines = [
            "-- sqlite3 'file:data/mart/triptych.sqlite?mode=ro&immutable=1'",
            "-- Put any rule's condition in place of the one between the parentheses.",
            "SELECT shown.trip_id, shown.pickup_date, shown.class, shown.basis, shown.rule",
            "FROM trip AS shown",
        ]
        for lookup in compiled.lookups { lines += join(lookup) }
        // The condition is evaluated in a subquery over `trip` alone, because names without a
        // prefix must mean the trip's columns even where a lookup has columns of the same name.
        lines += ["WHERE (SELECT"]
        for rule in rules.prefix(1) { lines.append("    " + condition(of: rule)) }
        lines += ["    FROM trip WHERE trip.trip_number = shown.trip_number)", "LIMIT 20;"]
        for rule in rules.dropFirst() {
            lines.append("-- \(rule.id):  \(condition(of: rule))")
        }
        return lines.joined(separator: "\n")
    }

    /// A rule's condition with its dates, as they hold in the run.
    private static func condition(of rule: RuleText) -> String {
        var parts = [
            "("
                + rule.when.text.split(whereSeparator: \.isNewline)
                .joined(separator: " ") + ")"
        ]
        if let from = rule.validFrom { parts.append("pickup_date >= '\(from.text)'") }
        if let to = rule.validTo { parts.append("pickup_date <= '\(to.text)'") }
        return parts.joined(separator: " AND ")
    }

    private static func join(_ lookup: LookupIndex) -> [String] {
        let name = QuotedText.quoted(lookup.definition.name)
        let table = QuotedText.quoted("reference_" + lookup.definition.name)
        var conditions = lookup.definition.keys.map { key in
            "reference.\(QuotedText.quoted(key.column)) = keyed.\(QuotedText.quoted(key.field))"
        }
        if let day = lookup.definition.validOn {
            for (column, comparison) in [
                (lookup.definition.fromColumn, "<="), (lookup.definition.toColumn, ">="),
            ] where lookup.table.columnNames.contains(column) {
                let reference = "reference.\(QuotedText.quoted(column))"
                conditions.append(
                    "(\(reference) IS NULL OR \(reference) \(comparison) keyed.\(QuotedText.quoted(day)))"
                )
            }
        }
        let readsRow = lookup.definition.cardinality == .one
        return [
            "LEFT JOIN (SELECT keyed.trip_number AS keyed_trip"
                + (readsRow ? ", reference.*" : "")
                + ", count(reference.reference_row) > 0 AS matched"
                + ", count(reference.reference_row) AS match_count",
            "           FROM trip AS keyed LEFT JOIN \(table) AS reference",
            "             ON " + conditions.joined(separator: " AND "),
            "           GROUP BY keyed.trip_number) AS \(name)",
            "  ON \(name).keyed_trip = shown.trip_number",
        ]
    }
}
