internal import TripDomain

/// Look-ups as joins: by key, and by the day a row holds on.
extension ClassificationSQL {
    /// Adds the look-ups whose keys are known.
    mutating func addLookups(_ lookups: inout [LookupIndex]) {
        let read = lookups.filter { readsRows(of: $0) }
        lookups = []
        guard !read.isEmpty else { return }
        for lookup in read where lookup.definition.cardinality == .any { addCount(of: lookup) }
        let columns = read.flatMap { lookup in
            columnsRead(of: lookup).map { column in
                let name = quoted("\(lookup.definition.name).\(column)")
                return "\(value(column, of: lookup)) AS \(name)"
            }
        }
        let name = "joined_\(queries.count { $0.contains("\njoined_") } + 1)"
        let list = columns.joined(separator: ",\n  ")
        let joins = read.map { lookup in
            lookup.definition.cardinality == .one
                ? "LEFT JOIN \(reference(lookup))\n  ON \(conditions(lookup, of: last))"
                : "LEFT JOIN \(countName(lookup))\n"
                    + "  ON \(countName(lookup)).\(tripKey) = \(last).\(tripKey)"
        }
        let names = read.map { "`\($0.definition.name)`" }.joined(separator: ", ")
        add(
            name,
            "Look-ups: \(names).",
            "SELECT\n  \(last).*,\n  \(list)\nFROM \(last)\n" + joins.joined(separator: "\n")
        )
        last = name
    }

    /// Counts the rows that hold for each trip, where several may.
    private mutating func addCount(of lookup: LookupIndex) {
        add(
            countName(lookup),
            "How many rows of `\(lookup.definition.name)` hold for a trip.",
            "SELECT \(last).\(tripKey), count(*) AS match_count\nFROM \(last)\n"
                + "JOIN \(reference(lookup))\n  ON \(conditions(lookup, of: last))\n"
                + "GROUP BY \(last).\(tripKey)"
        )
    }

    private func countName(_ lookup: LookupIndex) -> String {
        quoted("matches_" + lookup.definition.name)
    }

    /// The name of a look-up's table within the query.
    private func tableName(_ lookup: LookupIndex) -> String {
        quoted(TripSQL.tableName(of: lookup.definition.name))
    }

    private func reference(_ lookup: LookupIndex) -> String {
        let name = tableName(lookup)
        let table = tables.reference(name)
        return table == name ? name : "\(table) AS \(name)"
    }

    /// What a rule reads of a look-up.
    private func value(_ column: String, of lookup: LookupIndex) -> String {
        let isOne = lookup.definition.cardinality == .one
        // A row that holds has a key.
        let key = quoted(lookup.definition.keys[0].column)
        let mark = isOne ? "\(tableName(lookup)).\(key)" : "\(countName(lookup)).\(tripKey)"
        switch column {
        case ScopeLookup.matchCount where !isOne:
            return "coalesce(\(countName(lookup)).match_count, 0)"
        case ScopeLookup.matched, ScopeLookup.matchCount:
            return "CASE WHEN \(mark) IS NULL THEN 0 ELSE 1 END"
        default: return "\(tableName(lookup)).\(quoted(column))"
        }
    }

    private func conditions(_ lookup: LookupIndex, of trips: String) -> String {
        let table = tableName(lookup)
        var conditions = lookup.definition.keys.map { key in
            "\(table).\(quoted(key.column)) = \(trips).\(quoted(key.field))"
        }
        if let day = lookup.definition.validOn {
            // Where the day is not known, no row holds, not even one that holds for ever.
            let from = "coalesce(\(table).\(quoted(lookup.definition.fromColumn)), '0000-01-01')"
            let to = "coalesce(\(table).\(quoted(lookup.definition.toColumn)), '9999-12-31')"
            conditions.append("\(trips).\(quoted(day)) BETWEEN \(from) AND \(to)")
        }
        return conditions.joined(separator: "\n  AND ")
    }
}
