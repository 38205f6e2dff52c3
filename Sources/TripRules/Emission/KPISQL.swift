internal import TripDomain

/// Writes the KPIs of classified trips: the sums of the cube in all eight groupings.
struct KPISQL {
    private let cost: String?
    private let miles: String?
    private let dialect: SQLDialect
    private let tables: TripSQL.Tables

    init(_ shape: TripShape, _ dialect: SQLDialect, _ tables: TripSQL.Tables) {
        cost = shape.costIndex.map { dialect.quoted(shape.columns[$0].name) }
        miles = shape.milesIndex.map { dialect.quoted(shape.columns[$0].name) }
        self.dialect = dialect
        self.tables = tables
    }

    private static let dimensions = ["month", "trip_type", "region"]

    /// The SELECT.
    var text: String {
        let sums = KPI.table.compactMap { kpi -> (String, String)? in
            if case .sum(_, let measure, let tripClass) = kpi.definition {
                (kpi.name, value(of: measure, tripClass))
            } else {
                nil
            }
        }
        let dimensions = Self.dimensions.joined(separator: ", ")
        let finest = sums.map { "\(total($0.1)) AS \($0.0)" }.joined(separator: ",\n    ")
        let keys = Self.dimensions.map { name in
            "CASE WHEN kept.\(name) = 1 THEN finest.\(name) ELSE 'all' END AS \(name)"
        }
        let all = sums.map { "\(total("finest.\($0.0)")) AS \($0.0)" }
        let list = (keys + all).joined(separator: ",\n  ")
        return """
            WITH
            -- Counted trips by month, trip type and region.
            finest AS (
              SELECT
                \(dimensions),
                \(finest)
              FROM \(tables.classified)
              WHERE counted = 1
              GROUP BY \(dimensions)
            ),
            -- Which of the three are kept; the others read `all`.
            kept(\(dimensions)) AS (
              VALUES (1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0)
            )
            SELECT
              \(list)
            FROM finest
            CROSS JOIN kept
            GROUP BY 1, 2, 3
            ORDER BY 1, 2, 3
            """
    }

    /// What a trip adds to a sum, of a class or of all.
    private func value(of measure: KPIMeasure, _ tripClass: TripClass?) -> String {
        let never = "FALSE"
        let costed = cost.map { "\($0) IS NOT NULL" } ?? never
        let measured = miles.map { "\($0) IS NOT NULL" } ?? never
        let (cost, miles) = (cost ?? "0", miles ?? "0")
        let (value, conditions): (String, [String]) =
            switch measure {
            case .trips: ("1", [])
            case .costCents: (cost, [costed])
            case .costedTrips: ("1", [costed])
            case .milesHundredths: (miles, [measured])
            case .milesKnownTrips: ("1", [measured])
            case .costWithMilesCents: (cost, [costed, measured])
            case .costedMilesHundredths: (miles, [costed, measured])
            case .costedMilesTrips: ("1", [costed, measured])
            }
        // A pipeline without costs or miles has none to add up.
        guard !conditions.contains(never) else { return "0" }
        let all = conditions + (tripClass.map { ["class = '\($0.word)'"] } ?? [])
        return all.isEmpty
            ? value : "CASE WHEN \(all.joined(separator: " AND ")) THEN \(value) ELSE 0 END"
    }

    /// A sum of 64 bits.
    private func total(_ value: String) -> String {
        dialect == .duckdb ? "CAST(sum(\(value)) AS BIGINT)" : "sum(\(value))"
    }
}
