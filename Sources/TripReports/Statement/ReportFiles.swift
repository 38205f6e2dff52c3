import Glibc
import TripPipeline
public import TripRuns

/// A report of the served generation, written as HTML and CSV.
public struct ReportFiles {
    private let name: String
    private let reportsFolder: String
    private let outFolder: String

    /// Prepares a report.
    ///
    /// - Parameters:
    ///   - name: The report: a folder below the reports folder.
    ///   - reportsFolder: Where report definitions are.
    ///   - outFolder: Where the files go; made where it is missing.
    public init(_ name: String, reportsFolder: String, outFolder: String) {
        self.name = name
        self.reportsFolder = reportsFolder
        self.outFolder = outFolder
    }

    /// Renders and writes the report.
    ///
    /// - Parameter queries: The mart.
    /// - Returns: The paths written.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where the report is not
    ///   defined or a file cannot be written.
    public func write(_ queries: MartQueries) throws -> [String] {
        let definition = try ReportDefinition.read(name, reportsFolder: reportsFolder)
        let statement = MonthlyStatement(
            definition,
            try queries.statement(monthCount: definition.monthCount)
        )
        let html = try statement.html()
        if mkdir(outFolder, 0o750) != 0, errno != EEXIST {
            throw RunError(
                .cannotWrite,
                summary: "a folder cannot be made",
                what: "\(outFolder): \(FileText.systemMessage()).",
                remedies: ["Name another with --out DIR."]
            )
        }
        let paths = [("html", html), ("csv", statement.csv)].map { suffix, text in
            (path: "\(outFolder)/\(name).\(suffix)", text: text)
        }
        for (path, text) in paths { try FileText.write(text, to: path) }
        return paths.map(\.path)
    }
}
