import TripPipeline
import TripRuns

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
        guard isPlain, FileText.exists("\(reportsFolder)/\(name)/report.yaml") else {
            throw missing(name, reportsFolder)
        }
        do throws(PipelineFault) {
            return try readFiles(name, reportsFolder: reportsFolder)
        } catch {
            throw RunError(
                .badPipeline,
                summary: "the report \(name) has a fault",
                what: error.description,
                remedies: ["Correct the report's files, then run the command again."]
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
        let bytes = try FileText.read(folder + "/report.yaml", shown: shown)
        var map = try YAMLMap(
            try YAMLValue.read(String(decoding: bytes, as: UTF8.self), file: shown),
            "the report"
        )
        let title = try map.required("title", "title: Monthly in-house statement")
        let purpose = try map.text("purpose")
        let months = try map.optional("months")?.number("`months`") ?? 24
        try map.finish()
        let page = try FileText.read(folder + "/page.html", shown: name + "/page.html")
        return ReportDefinition(
            title: try title.text("`title`"),
            purpose: purpose ?? "",
            monthCount: min(240, max(1, months)),
            template: String(decoding: page, as: UTF8.self)
        )
    }
}
