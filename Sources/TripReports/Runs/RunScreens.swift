import TripDomain
public import TripRuns

/// The lines of runs, as the commands print them and the list of runs keeps them.
public struct RunScreens: RunOutput {
    /// What the tables of runs are laid out for, since the list of runs keeps them.
    ///
    /// Any screen may show them later; their other lines are broken where they are shown.
    static let keptScreen = Screen(width: Screen.keptWidth, hasWideFlag: false)

    /// Prints in the one layout there is.
    public init() {}

    /// The lines of a run that did what it was asked to.
    ///
    /// - Parameter report: Its result.
    /// - Returns: The lines.
    public func text(of report: RunReport) -> RunText {
        let screen = RunScreen(report)
        return RunText(
            summary: screen.summary,
            details: screen.details,
            plan: report.plan.map { PlanScreen($0).publishedLines(on: Self.keptScreen) } ?? []
        )
    }

    /// The lines of a run that published nothing.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - served: What readers see meanwhile.
    ///   - runNumber: Its number in the list of runs; nil where it is not listed.
    /// - Returns: The lines.
    public func text(of failure: Failure, served: ServedState, runNumber: Int?) -> RunText {
        FailureScreen(failure, served: served, runNumber: runNumber).text
    }
}

extension RunSession.Ending {
    /// What the command prints on stderr for people.
    public var textDetails: [String] {
        (isPlanShown || text.plan.isEmpty ? [] : text.plan + [""]) + text.details
    }

    /// The details and the summary as JSON, one object to a line.
    ///
    /// - Parameter now: The time of the command, in seconds of UTC.
    /// - Returns: The lines, each with its level: `info`, `warning` or `error`.
    public func jsonDetails(now: Int64) -> [String] {
        let hasFailed = status.rawValue >= 11 || status.rawValue == 1
        let plan = isPlanShown || text.plan.isEmpty ? [] : [text.plan.joined(separator: "\n")]
        let time = CivilTime.text(ofSeconds: now) + "Z"
        func line(_ text: String, _ level: StateWord.Level?) -> String {
            let level = hasFailed ? .error : level ?? .info
            return JSONValue.object([
                ("time", .text(time)), ("level", .text(level.rawValue)),
                ("exit_code", .integer(Int64(status.rawValue))), ("message", .text(text)),
            ]).json
        }
        let details = text.details.filter { !$0.isEmpty }
        return plan.map { line($0, .info) }
            + details.map { line($0, StateWord.first(of: $0)?.level) }
            + [line(text.summary, status == .publishedWithWarnings ? .warning : .info)]
    }
}

/// What `generate` wrote, in one line.
public enum GeneratedScreen {
    /// The line.
    ///
    /// - Parameter exports: What was written.
    /// - Returns: The records and files, the seed, the time and the rate.
    public static func line(_ exports: GeneratedExports) -> String {
        let rate = Int64(exports.recordCount) * 1000 / exports.milliseconds
        return "GENERATED \(Counted.text(exports.recordCount, "record")) | "
            + "\(Counted.text(exports.fileCount, "file")) in "
            + "\(UnseenCharacters.named(in: exports.folder)) | "
            + "seed \(exports.seed) | \(NumberFormat.seconds(exports.milliseconds)) | "
            + "\(Counted.text(rate, "record"))/s"
    }
}
