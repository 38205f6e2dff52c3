import Mustache
import TripDomain
import TripMart

/// The monthly in-house statement: numerator, denominator, interval, basis split and bridge of
/// every month, with the generation and the rules they come from.
struct MonthlyStatement {
    private let definition: ReportDefinition
    private let header: GenerationHeader
    private let months: [KPIRow]
    private let bases: [KPIRow]
    private let bridge: [BridgeRow]
    private let ledger: Ledger

    /// Gathers what the statement says from one generation.
    init(_ definition: ReportDefinition, mart: ServedMart) throws {
        self.definition = definition
        header = mart.header
        months = try mart.kpi(KPIQuery(by: [.month])).rows.suffix(definition.monthCount)
        bases = try mart.kpi(KPIQuery(by: [.month, .tripClass, .basis])).rows
        bridge = try mart.bridge()
        ledger = try mart.ledger()
    }

    /// One line per month: sums, ratios, and where they come from.
    var csv: String {
        var set = RowSet(["month"] + KPIRowValues.names + ["rules_hash"])
        for row in months {
            set.add(
                [.text(row.keys[0])] + KPIRowValues.values(row, header: header)
                    + [.text(header.rulesHash)]
            )
        }
        return set.csv + "\n"
    }

    /// The library's own goes by Swift's characters, among which an accent hides a mark of HTML.
    private struct EscapedBytes: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }

    /// The page.
    ///
    /// - Throws: ``RunError`` where the report's template cannot be read.
    func html() throws -> String {
        let template: MustacheTemplate
        do {
            MustacheContentTypes.register(EscapedBytes(), named: "BYTES")
            template = try MustacheTemplate(
                string: "{{% CONTENT_TYPE:BYTES}}" + definition.template
            )
        } catch {
            throw RunError(
                .badPipeline,
                summary: "a report template cannot be read",
                what: "page.html is no valid Mustache template.",
                remedies: ["Check that every {{#section}} is closed by {{/section}}."]
            )
        }
        return template.render(content)
    }

    private var content: [String: Any] {
        let chart = PercentChart(
            months.compactMap { row in
                guard let month = Month(text: row.keys[0]) else { return nil }
                return PercentChart.Point(
                    month: month,
                    value: row.sums.inHousePercentHundredths,
                    low: row.sums.inHousePercentLowHundredths,
                    high: row.sums.inHousePercentHighHundredths,
                    isOpen: row.isOpen
                )
            }
        )
        return [
            "title": definition.title, "purpose": definition.purpose,
            "generation": String(header.number), "published": header.publishedAt,
            "pipeline": header.pipeline, "synthetic": header.isSynthetic,
            "through": header.dataThrough?.text ?? "–", "rules": header.rulesHash,
            "months": months.reversed().map(monthContent), "chart": chart.svg,
            "bridge": bridge.map { row in
                [
                    "status": row.status, "trips": Shown.count(row.trips),
                    "counted": row.isCounted ? "counted" : "not counted",
                ]
            },
            "ledger": ledgerText, "settles": String(header.settlesAfterDays),
        ]
    }

    private func monthContent(_ row: KPIRow) -> [String: Any] {
        let sums = row.sums
        let split = bases.filter { $0.keys[0] == row.keys[0] }.map { basis in
            "\(basis.keys[1]) / \(basis.keys[2].isEmpty ? "(none)" : basis.keys[2]) "
                + Shown.count(basis.sums.trips)
        }
        return [
            "month": row.keys[0], "open": row.isOpen,
            "numerator": Shown.count(sums.inHouseTrips),
            "denominator": Shown.count(sums.inHouseTrips + sums.contractedTrips),
            "undetermined": Shown.count(sums.undeterminedTrips),
            "percent": Shown.percent(sums.inHousePercentHundredths),
            "low": Shown.percent(sums.inHousePercentLowHundredths),
            "high": Shown.percent(sums.inHousePercentHighHundredths),
            "cost": Shown.dollars(sums.contractedCostCents),
            "known": Shown.wholePercent(sums.contractedCostedTrips, of: sums.contractedTrips),
            "split": split.joined(separator: " · "),
        ]
    }

    private var ledgerText: String {
        let terms = LedgerTerm.allCases.filter { ledger[$0].items > 0 }
            .map { "\(Shown.count(ledger[$0].items)) \($0.rawValue)" }
        return "\(Shown.count(ledger.read.items)) read = " + terms.joined(separator: " + ")
    }
}
