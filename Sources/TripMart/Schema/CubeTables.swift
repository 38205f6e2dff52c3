import TripDomain

/// The precomputed sums: one row per group of trips, in all eight groupings.
enum CubeTables {
    /// The names of the stored sums, in the order of the table.
    static let sumColumns = KPISum.allCases.map(\.name)

    /// The cube with small cells suppressed: the same columns, NULL where a value is suppressed.
    static let suppressedDDL = cube(
        sumColumns.map { "\($0) INTEGER" } + ["suppressed INTEGER NOT NULL"]
    )

    /// The primary key is the filter of every route: one read answers it.
    private static func cube(_ columns: [String]) -> String {
        """
        CREATE TABLE kpi_cube(
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            \(columns.joined(separator: ",\n    ")),
            PRIMARY KEY(month, trip_type, region)
        ) WITHOUT ROWID;
        """
    }

    static let ddl =
        cube(sumColumns.map { "\($0) INTEGER NOT NULL" }) + """


            CREATE TABLE kpi_basis(
                month TEXT NOT NULL,
                trip_type TEXT NOT NULL,
                region TEXT NOT NULL,
                class TEXT NOT NULL,
                basis TEXT NOT NULL,
                trips INTEGER NOT NULL,
                costed_trips INTEGER NOT NULL,
                cost_cents INTEGER NOT NULL,
                PRIMARY KEY(month, trip_type, region, class, basis)
            ) WITHOUT ROWID;
            """
}

/// The cube as users query it, with the ratios, which are never stored.
///
/// Percentages are computed on integers and rounded half up to two decimals: for *n* out of *d* the
/// hundredths are (20000 *n* + *d*) / 2 *d*, truncated. Costs per trip and mile can be negative
/// (credits), and SQLite's `/` truncates towards zero; there the views compute the floor, so that a
/// half is always rounded up.
enum CubeViews {
    static let ddl = cells + "\n\n" + fiscalYear

    /// The views whose rows are cells of the cube; sums over cells are not among them.
    static let cells = [
        view(
            "kpi_month",
            key: ["month"],
            where: "month <> 'all' AND trip_type = 'all' AND region = 'all'"
        ),
        view(
            "kpi_month_type",
            key: ["month", "trip_type"],
            where: "month <> 'all' AND trip_type <> 'all' AND region = 'all'"
        ),
        view(
            "kpi_month_region",
            key: ["month", "region"],
            where: "month <> 'all' AND trip_type = 'all' AND region <> 'all'"
        ),
        view(
            "kpi_type_region",
            key: ["trip_type", "region"],
            where: "month = 'all' AND trip_type <> 'all' AND region <> 'all'"
        ),
    ].joined(separator: "\n\n")

    private static let sums = CubeTables.sumColumns.joined(separator: ", ")

    private static func view(_ name: String, key: [String], where condition: String) -> String {
        let isOpen =
            key.contains("month")
            ? "(SELECT m.month_open FROM month AS m WHERE m.month = c.month)"
            : "(SELECT max(m.month_open) FROM month AS m)"
        return """
            CREATE VIEW \(name) AS
                SELECT \(key.joined(separator: ", ")), \(sums),
                    \(ratios),
                    \(isOpen) AS month_open
                FROM kpi_cube AS c
                WHERE \(condition);
            """
    }

    private static let fiscalYear = """
        CREATE VIEW kpi_fiscal_year AS
            SELECT fiscal_year, \(sums),
                \(ratios),
                month_open
            FROM (
                SELECT m.fiscal_year AS fiscal_year,
                    \(CubeTables.sumColumns.map { "sum(c.\($0)) AS \($0)" }
                        .joined(separator: ",\n                ")),
                    max(m.month_open) AS month_open
                FROM kpi_cube AS c JOIN month AS m ON m.month = c.month
                WHERE c.trip_type = 'all' AND c.region = 'all'
                GROUP BY m.fiscal_year
            );
        """

    private static let ratios = KPI.table.compactMap { kpi -> String? in
        guard case .ratio(_, let quotient) = kpi.definition else { return nil }
        return "\(expression(quotient)) AS \(kpi.name)"
    }.joined(separator: ",\n        ")

    /// A quotient of sums as SQL.
    private static func expression(_ quotient: KPIQuotient) -> String {
        let part =
            quotient.factor == 1
            ? sum(quotient.part) : "(\(quotient.factor) * \(sum(quotient.part)))"
        let whole = sum(quotient.whole)
        switch quotient.unit {
        case .hundredthsOfPercent: return percent(part, of: whole)
        case .trips, .cents, .hundredthsOfMile: return halfUp(part, by: whole)
        }
    }

    private static func sum(_ sums: [KPISum]) -> String {
        let names = sums.map(\.name).joined(separator: " + ")
        return sums.count == 1 ? names : "(\(names))"
    }

    private static func percent(_ part: String, of whole: String) -> String {
        "CASE WHEN \(whole) > 0 THEN (20000 * \(part) + \(whole)) / (2 * \(whole)) / 100.0 END"
    }

    private static func halfUp(_ sum: String, by count: String) -> String {
        let upper = "(2 * \(sum) + \(count))"
        let lower = "(2 * \(count))"
        return
            "CASE WHEN \(count) > 0 THEN (\(upper) - (\(upper) % \(lower) + \(lower)) % \(lower))"
            + " / \(lower) END"
    }
}

/// The values of the cube's dimensions, with their displayed names.
enum DimensionTables {
    static let ddl = """
        CREATE TABLE month(
            month TEXT PRIMARY KEY,
            label TEXT NOT NULL,
            fiscal_year INTEGER NOT NULL,
            month_open INTEGER NOT NULL,
            settles_on TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE trip_type(
            trip_type TEXT PRIMARY KEY,
            label TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE region(
            region TEXT PRIMARY KEY,
            label TEXT NOT NULL
        ) WITHOUT ROWID;
        """
}
