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

extension FileText {
    /// Writes a text so that a reader sees the old file or the new one, never half of either.
    ///
    /// - Throws: ``RunError`` with code `cannotWrite`.
    static func write(_ text: String, to path: String) throws(RunError) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        // The number of the call that failed: the calls after it have numbers of their own.
        var failure = descriptor >= 0 ? 0 : errno
        let bytes = Array(text.utf8)
        var start = 0
        while failure == 0, start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { failure = count < 0 ? errno : ENOSPC }
            start += max(0, count)
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if descriptor >= 0 { close(descriptor) }
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else {
            throw RunError(
                .cannotWrite,
                summary: "a file cannot be written",
                what: "\(path): \(systemMessage(failure)).",
                remedies: [
                    isOfPermission(failure)
                        ? "Let the account of this command write there, or name another folder "
                            + "with --out DIR."
                        : "Make room or name another folder with --out DIR, then run the command "
                            + "again."
                ]
            )
        }
    }
}
