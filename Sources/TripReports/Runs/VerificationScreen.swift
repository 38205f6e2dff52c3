import TripDomain
import TripMart
public import TripRuns

/// The result of a verification.
public struct VerificationScreen: Sendable {
    private let report: VerificationReport
    private let mart: String

    /// Shows a verification.
    ///
    /// - Parameters:
    ///   - report: The findings.
    ///   - options: Where the mart is.
    public init(_ report: VerificationReport, _ options: RunOptions) {
        self.report = report
        mart = options.martFlags
    }

    /// Verifies a generation; never throws, because every failure has its lines.
    ///
    /// - Parameters:
    ///   - verification: The work.
    ///   - options: Where the mart is.
    /// - Returns: What the command prints and how it ends.
    public static func ending(
        of verification: Verification,
        _ options: RunOptions
    ) -> RunSession.Ending {
        do {
            return VerificationScreen(try verification.perform(), options).ending
        } catch {
            let failure = Failure(error)
            return RunSession.Ending(FailureScreen(failure).text, status: failure.status)
        }
    }

    /// The output of the command and how it ends.
    public var ending: RunSession.Ending {
        guard report.status != .published else {
            return RunSession.Ending(
                RunText(summary: summary, details: details),
                status: .published
            )
        }
        let text = FailureScreen(failure).text
        return RunSession.Ending(
            RunText(
                summary: text.summary,
                details: table.lines(on: RunScreens.keptScreen) + [""] + text.details
            ),
            status: report.status
        )
    }

    private var summary: String {
        let synthetic = report.isSynthetic ? " | SYNTHETIC DATA" : ""
        return "VERIFIED | generation \(report.number) | "
            + Counted.text(report.trips, "trip") + " rebuilt from "
            + Counted.text(report.fileCount, "export") + " | "
            + Counted.text(report.tableCount, "table") + " equal | "
            + NumberFormat.seconds(report.milliseconds) + synthetic
    }

    private var details: [String] {
        table.lines(on: RunScreens.keptScreen) + [
            "",
            "Rebuilt with \(Counted.text(report.inputCount, "file")) of pipeline and reference "
                + "data, as the generation stores them",
        ] + notes
    }

    private var notes: [String] {
        report.keepsTrips
            ? []
            : ["Its trips are no longer kept: only the files that are kept for good were compared"]
    }

    private var table: TextTable {
        var table = TextTable([
            ("file", .left), ("tables", .right), ("rows", .right), ("not equal", .right),
        ])
        for file in report.files {
            table.add([
                file.file, NumberFormat.count(file.tables.count),
                NumberFormat.count(file.tables.reduce(0) { $0 + $1.published }),
                NumberFormat.count(file.tables.count { !$0.isEqual }),
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
                "generation \(report.number) differs from what its exports and inputs give: "
                + clause,
            what: damage + unequal + notes,
            remedies: remedies,
            matter: report.unequalCount == 0
                ? nil : .wrongNumbers(generation: report.number)
        )
    }

    private var remedies: [String] {
        guard report.isServed else {
            return [
                "Do not go back to generation \(report.number), and do not quote its numbers.",
                "Verify the served generation: triptych verify\(mart)",
            ]
        }
        let goingBack =
            report.damage.isEmpty
            ? [] : ["Go back to a generation that verifies: triptych rollback NUMBER\(mart)"]
        return goingBack + [
            "Publish what the exports give: triptych run PIPELINE --full\(mart) "
                + "--input DIR",
            "Verify that one: triptych verify\(mart). If it differs as well, keep the mart as it "
                + "is and report this output: it names no patient, but has counts of single trips.",
        ]
    }

    /// The damage, shortened, since one wrong byte may change hundreds of sums.
    private var damage: [String] {
        let shown = report.damage.prefix(Self.damageCount)
        let more = report.damage.count - shown.count
        return shown + (more > 0 ? ["and \(NumberFormat.count(more)) more of the same kind"] : [])
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
                Counted.text(table.different, "row")
                    + (table.different == 1 ? " differs" : " differ") + " in \(columns)"
            )
        }
        if table.extra > 0 { parts.append("\(Counted.text(table.extra, "row")) too many") }
        if table.missing > 0 { parts.append("\(Counted.text(table.missing, "row")) missing") }
        return ["\(name): \(parts.joined(separator: ", "))"] + table.samples.map { "  " + $0 }
    }
}
