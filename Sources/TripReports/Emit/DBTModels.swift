import TripDomain
import TripRules

/// The YAML beside two models of dbt: what they read, what they hold, and tests of it.
struct DBTModels {
    private let sql: TripSQL
    private let pipeline: String

    init(_ sql: TripSQL, pipeline: String) {
        self.sql = sql
        self.pipeline = pipeline
    }

    /// What the tables are called within models.
    static let tables = TripSQL.Tables(
        trips: "\(open) source('triptych', 'trip') \(close)",
        classified: "\(open) ref('trip_class') \(close)",
        generation: "\(open) source('triptych', 'generation') \(close)"
    ) { "\(open) ref('\(String($0.filter { !"\"`".contains($0) }))') \(close)" }

    /// The marks of a reference, until the other braces of the SQL are escaped.
    private static let (open, close) = ("\u{1}", "\u{2}")

    /// A model whose texts dbt leaves as they are.
    ///
    /// - Parameter text: The SQL.
    /// - Returns: The same, what begins an expression of dbt written as one.
    static func escaped(_ text: String) -> String {
        var scalars = text.unicodeScalars
        for mark in ["{{", "{%", "{#"] {
            scalars.replace(mark.unicodeScalars, with: "\(open) '\(mark)' \(close)".unicodeScalars)
        }
        scalars.replace(open.unicodeScalars, with: "{{".unicodeScalars)
        scalars.replace(close.unicodeScalars, with: "}}".unicodeScalars)
        return String(scalars)
    }

    private static func quoted(_ text: String) -> String { QuotedText.quoted(text, by: "'") }

    /// `models/schema.yml`.
    var schema: String {
        let classes = TripClass.allCases.map(\.word)
        var lines = [
            "version: 2", "", "sources:", "  - name: triptych", "    tables:", "      - name: trip",
            "        description: Accepted trips, typed; docs/EMIT.md of Triptych describes it.",
            "        columns:",
        ]
        for column in sql.tripColumns {
            lines.append("          - name: \(Self.quoted(column.name))")
            lines += tests(of: column.name, "            ")
        }
        if sql.overrides != nil {
            lines += [
                "      - name: generation",
                "        description: One row; how far the data of the trips goes.",
                "        columns:", "          - name: 'data_through'", "            tests:",
                "              - not_null",
            ]
        }
        lines += ["", "models:", "  - name: trip_class"]
        lines.append(
            "    description: \(Self.quoted("Trips classified by the pipeline \(pipeline)."))"
        )
        lines.append("    columns:")
        for name in sql.columnNames {
            lines.append("      - name: \(Self.quoted(name))")
            switch name {
            case "class": lines += accepted(classes, isNullable: false)
            case "rule": lines += accepted(sql.rules.map(\.id), isNullable: true)
            case "counted": lines += accepted(["0", "1"], isNullable: false, quotes: false)
            default: lines += tests(of: name, "        ")
            }
        }
        lines += ["  - name: kpi", "    columns:"]
        for name in ["month", "trip_type", "region", "trips"] {
            lines += ["      - name: \(name)", "        tests:", "          - not_null"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func tests(of name: String, _ indent: String) -> [String] {
        switch name {
        case "trip_id", "trip_ref": ["tests:", "  - unique", "  - not_null"].map { indent + $0 }
        case "pickup_at", "region", "trip_type", "month":
            // The table of trips may lack a region; classified trips do not.
            name == "pickup_at" || indent.count == 8
                ? ["tests:", "  - not_null"].map { indent + $0 } : []
        default: []
        }
    }

    private func accepted(_ values: [String], isNullable: Bool, quotes: Bool = true) -> [String] {
        let list = values.map(Self.quoted).joined(separator: ", ")
        var lines = ["        tests:"]
        if !isNullable { lines.append("          - not_null") }
        guard !values.isEmpty else { return isNullable ? [] : lines }
        lines += ["          - accepted_values:", "              arguments:"]
        lines.append("                values: [\(list)]")
        if !quotes { lines.append("                quote: false") }
        return lines
    }

    /// `seeds/seeds.yml`: every column by its type, so that `08` stays a text.
    var seeds: String {
        guard !sql.references.isEmpty else { return "version: 2\n" }
        var lines = ["version: 2", "", "seeds:"]
        for table in sql.references {
            lines += ["  - name: \(table.name)", "    config:", "      quote_columns: true"]
            lines.append("      column_types:")
            for (name, kind) in zip(table.columnNames, table.columnKinds) {
                lines.append("        \(Self.quoted(name)): \(sql.dialect.typeName(of: kind))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
