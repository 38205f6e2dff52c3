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

    private static let decided = "(in_house_trips + contracted_trips)"
    private static let all = "(in_house_trips + contracted_trips + undetermined_trips)"
    private static let costed =
        "(in_house_costed_trips + contracted_costed_trips + undetermined_costed_trips)"

    private static let ratios = [
        percent("in_house_trips", of: decided) + " AS in_house_pct",
        percent("in_house_trips", of: all) + " AS in_house_pct_low",
        percent("(in_house_trips + undetermined_trips)", of: all) + " AS in_house_pct_high",
        halfUp("cost_cents", by: costed) + " AS cost_per_trip_cents",
        halfUp("(100 * cost_with_miles_cents)", by: "costed_miles_hundredths")
            + " AS cost_per_mile_cents",
    ].joined(separator: ",\n        ")

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
