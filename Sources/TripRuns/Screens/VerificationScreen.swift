import TripDomain
import TripMart

/// What a verification found.
public struct VerificationScreen: Sendable {
    private let report: VerificationReport
    private let mart: String

    /// Shows a verification.
    ///
    /// - Parameters:
    ///   - report: What was found.
    ///   - options: Where the mart is.
    public init(_ report: VerificationReport, _ options: RunOptions) {
        self.report = report
        mart =
            options.martPath == RunOptions.usualMartPath
            ? "" : " --mart " + Shown.shell(options.martPath)
    }

    /// What the command prints and how it ends.
    public var ending: NightSession.Ending {
        guard report.status != .published else {
            return NightSession.Ending(summary: summary, details: details, status: .published)
        }
        let screen = FailureScreen(failure)
        return NightSession.Ending(
            summary: screen.summary,
            details: table.lines + [""] + screen.details,
            status: report.status
        )
    }

    private var summary: String {
        let synthetic = report.isSynthetic ? " | SYNTHETIC DATA" : ""
        return "VERIFIED | generation \(report.number) | "
            + Counted.text(report.trips, "trip") + " built anew from "
            + Counted.text(report.fileCount, "export") + " | "
            + Counted.text(report.tableCount, "table") + " equal | "
            + Shown.seconds(report.milliseconds) + synthetic
    }

    private var details: [String] {
        table.lines + [
            "",
            "Built with \(Counted.text(report.inputCount, "file")) of pipeline and reference "
                + "data, as the generation keeps them",
        ] + notes
    }

    private var notes: [String] {
        report.keepsTrips
            ? []
            : ["Its trips are no longer kept: compared is what is kept of it for good"]
    }

    private var table: TextTable {
        var table = TextTable([
            ("file", .left), ("tables", .right), ("rows", .right), ("not equal", .right),
        ])
        for file in report.files {
            table.add([
                file.file, Shown.count(file.tables.count),
                Shown.count(file.tables.reduce(0) { $0 + $1.published }),
                Shown.count(file.tables.count { !$0.isEqual }),
            ])
        }
        return table
    }

    private var failure: Failure {
        let unequal = report.files.flatMap { file in
            file.tables.filter { !$0.isEqual }.flatMap { lines(of: $0, in: file.file) }
        }
        let clause =
            report.unequalCount == 0
            ? "its file is damaged"
            : "\(report.unequalCount) of \(Counted.text(report.tableCount, "table")) differ"
        return Failure(
            status: .verifyMismatch,
            summary:
                "generation \(report.number) is not what its exports and inputs come to: "
                + clause,
            what: damage + unequal + notes,
            remedies: remedies,
            matter: report.unequalCount == 0
                ? nil : "Whoever read generation \(report.number) may have read wrong numbers."
        )
    }

    private var remedies: [String] {
        guard report.isServed else {
            return [
                "Do not go back to generation \(report.number), and do not quote its numbers.",
                "Verify what is served: triptych verify\(mart)",
            ]
        }
        let way =
            report.damage.isEmpty
            ? [] : ["Go back to a generation that verifies: triptych rollback NUMBER\(mart)"]
        return way + [
            "Publish what the exports come to: triptych run PIPELINE --full\(mart)",
            "Verify that one: triptych verify\(mart). If it differs as well, keep the mart as it is and "
                + "report what is printed here: it names no patient, but counts of single trips stand in it.",
        ]
    }

    /// One false byte may leave hundreds of sums behind.
    private var damage: [String] {
        let shown = report.damage.prefix(Self.damageCount)
        let more = report.damage.count - shown.count
        return shown + (more > 0 ? ["and \(Shown.count(more)) more of the kind"] : [])
    }

    private static let damageCount = 5

    private func lines(of table: TableComparison, in file: String) -> [String] {
        let name = "\(file), \(table.table)"
        if table.isUnreadable {
            return ["\(name): cannot be read, or has other columns than it should"]
        }
        var parts: [String] = []
        if table.different > 0 {
            let columns = table.columns.joined(separator: ", ")
            parts.append(
                "\(Counted.text(table.different, "row")) \(table.different == 1 ? "differs" : "differ") "
                    + "in \(columns)"
            )
        }
        if table.extra > 0 { parts.append("\(Counted.text(table.extra, "row")) too many") }
        if table.missing > 0 { parts.append("\(Counted.text(table.missing, "row")) missing") }
        return ["\(name): \(parts.joined(separator: ", "))"] + table.samples.map { "  " + $0 }
    }
}
