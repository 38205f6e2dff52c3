import Mustache
import TripDomain
import TripMart
import TripPipeline
import TripRuns
import TripText

/// The monthly in-house statement.
///
/// It gives numerator, denominator, interval, basis split and reconciliation of every month, with
/// the generation and the rules they come from.
struct MonthlyStatement {
    private let definition: ReportDefinition
    private let numbers: MonthlyNumbers
    private var header: GenerationHeader { numbers.header }
    private var months: [KPIRow] { numbers.months }
    private var ledger: Ledger { numbers.ledger }
    /// Whether any trip has a known cost: without one, costs mean nothing.
    private var hasCosts: Bool { months.contains { $0.sums.costs.costedTrips > 0 } }

    /// Renders the numbers of one generation.
    init(_ definition: ReportDefinition, _ numbers: MonthlyNumbers) {
        self.definition = definition
        self.numbers = numbers
    }

    /// One line per month: sums, ratios, and their generation.
    var csv: String {
        let measures = numbers.measures
        var set = RowSet(
            ["month"] + KPIRowValues.names + measures.flatMap(\.rowNames) + ["rules_hash"]
        )
        for row in months {
            set.add(
                [.text(row.keys[0])] + KPIRowValues.values(row, header: header)
                    + zip(measures, row.measures).flatMap { $0.rowValues($1) }
                    + [.text(header.rulesHash)]
            )
        }
        return set.csv + "\n"
    }

    /// Escapes HTML byte by byte.
    ///
    /// The library's own escaping works on Swift's characters, where a combining accent hides a
    /// mark of HTML.
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
        [
            "title": definition.title, "purpose": definition.purpose,
            "generation": String(header.number), "published": header.publishedAt,
            "pipeline": header.pipeline, "synthetic": header.isSynthetic,
            "through": header.dataThrough?.text ?? "–", "rules": header.rulesHash,
            "months": months.reversed().map(monthContent), "sentences": numbers.sentences,
            "chart": numbers.chart, "legend": numbers.legend,
            "bridge": numbers.reconciliation.map { row in
                [
                    "status": row.status, "trips": NumberFormat.count(row.trips),
                    "counted": row.isCounted ? "counted" : "not counted",
                ]
            },
            "costs": hasCosts, "ledger": ledgerText, "settles": String(header.settlesAfterDays),
            "measured": !numbers.measures.isEmpty, "titles": numbers.measures.map(\.title),
        ]
    }

    private func monthContent(_ row: KPIRow) -> [String: Any] {
        let sums = row.sums
        let split = numbers.bases.filter { $0.keys[0] == row.keys[0] }.map { basis in
            "\(basis.keys[1]) / \(basis.keys[2].isEmpty ? "(none)" : basis.keys[2]) "
                + NumberFormat.count(basis.sums.trips)
        }
        let kpis = KPI.table.map { ($0.name, $0.text(row.value($0)) as Any) }
        let content: [String: Any] = [
            "month": row.keys[0], "open": row.isOpen, "costs": hasCosts,
            "numerator": NumberFormat.count(sums.inHouseTrips),
            "denominator": NumberFormat.count(sums.inHouseTrips + sums.contractedTrips),
            "undetermined": NumberFormat.count(sums.undeterminedTrips),
            "percent": NumberFormat.percent(sums.inHousePercentHundredths),
            "low": NumberFormat.percent(sums.inHousePercentLowHundredths),
            "high": NumberFormat.percent(sums.inHousePercentHighHundredths),
            "cost": NumberFormat.dollars(sums.contractedCostCents),
            "known": NumberFormat.wholePercent(
                sums.contractedCostedTrips,
                of: sums.contractedTrips
            ),
            "split": split.joined(separator: " · "),
            "measures": zip(numbers.measures, row.measures).map { measure, value in
                ["title": measure.title, "value": measure.text(value)]
            },
        ]
        return content.merging(kpis) { named, _ in named }
    }

    private var ledgerText: String {
        let terms = LedgerTerm.allCases.filter { ledger[$0].items > 0 }
            .map { "\(NumberFormat.count(ledger[$0].items)) \($0.rawValue)" }
        return "\(NumberFormat.count(ledger.read.items)) read = " + terms.joined(separator: " + ")
    }
}

/// The contents of a report folder: `report.yaml` with the words, `page.html` with the form.
struct ReportDefinition {
    let title: String
    let purpose: String
    /// The number of months, the latest included.
    let monthCount: Int
    let template: String

    /// Reads a report folder.
    ///
    /// - Parameters:
    ///   - name: The report: a folder below the reports folder.
    ///   - reportsFolder: Where report definitions are.
    /// - Returns: The report.
    /// - Throws: ``RunError`` where there is no such report, or it cannot be understood.
    static func read(_ name: String, reportsFolder: String) throws(RunError) -> Self {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
        let path = "\(reportsFolder)/\(name)/report.yaml"
        guard isPlain, FileText.exists(path) || FileText.isHidden(path) else {
            throw missing(name, reportsFolder)
        }
        do throws(PipelineFault) {
            return try readFiles(name, reportsFolder: reportsFolder)
        } catch {
            throw RunError(
                .badPipeline,
                summary: "the report \(name) "
                    + (error.isOfSystem ? "cannot be read" : "has a fault"),
                what: error.description.split(separator: "\n").joined(separator: " "),
                remedies: [
                    (error.isOfSystem
                        ? "Make the report's files readable" : "Correct the report's files")
                        + ", then run the command again."
                ]
            )
        }
    }

    private static func missing(_ name: String, _ reportsFolder: String) -> RunError {
        let known = (FileText.names(in: reportsFolder) ?? []).filter {
            FileText.exists("\(reportsFolder)/\($0)/report.yaml")
        }
        let suggestion = Suggestion.text(for: name, among: known)
        return RunError(
            .notFound,
            summary: "no such report",
            what: "\(reportsFolder) has no folder '\(name)' with a report.yaml.",
            remedies: [
                suggestion.isEmpty ? "Name the folder of reports: --reports DIR" : suggestion,
                "What a report is made of: docs/REPORTS.md",
            ]
        )
    }

    private static func readFiles(
        _ name: String,
        reportsFolder: String
    ) throws(PipelineFault) -> Self {
        let folder = reportsFolder + "/" + name
        let shown = name + "/report.yaml"
        let bytes = try FileText.read("report.yaml", in: folder, shown: shown)
        var map = try YAMLMap(
            try YAMLValue.read(String(decoding: bytes, as: UTF8.self), file: shown),
            "the report"
        )
        let title = try map.required("title", "title: Monthly in-house statement")
        let purpose = try map.text("purpose")
        let months = try map.optional("months")?.number("`months`") ?? 24
        try map.finish()
        let page = try FileText.read("page.html", in: folder, shown: name + "/page.html")
        return ReportDefinition(
            title: try title.text("`title`"),
            purpose: purpose ?? "",
            monthCount: min(240, max(1, months)),
            template: String(decoding: page, as: UTF8.self)
        )
    }
}
