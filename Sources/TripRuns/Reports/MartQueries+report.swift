import Glibc
import TripMart
import TripPipeline

extension MartQueries {
    /// `report`: renders a report of the served generation as HTML and CSV.
    ///
    /// - Parameters:
    ///   - name: The report: a folder below the reports folder.
    ///   - reportsFolder: Where report definitions are.
    ///   - outFolder: Where the files go; made where it is missing.
    /// - Returns: The paths written.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where the report is not
    ///   defined or a file cannot be written.
    public func report(
        _ name: String,
        reportsFolder: String,
        outFolder: String
    ) throws -> [String] {
        let definition = try ReportDefinition.read(name, reportsFolder: reportsFolder)
        let statement = try MonthlyStatement(definition, mart: try ServedMart.open(folder))
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
