public import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripSynthetic

/// A failure in the words of the operator: a status, one line, and the steps to take.
///
/// It never holds a stack trace or a text of a driver.
public struct Failure: Error, Sendable {
    /// The status the command ends with.
    public let status: ExitStatus
    /// One short clause for the first line.
    public let summary: String
    /// What was found.
    public let what: [String]
    /// Steps for the operator, in order.
    public let remedies: [String]
    /// What the numbers would be if the run went on without the cause; nil where that is not known.
    public let matter: String?
    /// What was read and how it was accounted for; nil where the failure is not about that.
    var account: Account?
    /// Further notes about the run, one line each.
    var notes: [String] = []

    /// What a run read before it was withheld.
    struct Account: Sendable {
        let ledger: Ledger
        let rejects: [RejectTally]
    }

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - status: The status the command ends with.
    ///   - summary: One short clause for the first line.
    ///   - what: What was found.
    ///   - remedies: Steps for the operator, in order.
    ///   - matter: What the numbers would be if the run went on without the cause.
    public init(
        status: ExitStatus,
        summary: String,
        what: [String],
        remedies: [String],
        matter: String? = nil
    ) {
        self.status = status
        self.summary = summary
        self.what = what
        self.remedies = remedies
        self.matter = matter
    }

    /// Turns any error into a failure; no other code puts errors into words.
    ///
    /// - Parameter error: Any error. An unknown type becomes "internal error", because its text
    ///   could hold a row's values.
    public init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as RunError:
            self.init(
                status: ExitStatus(error.code),
                summary: error.summary,
                what: [error.what],
                remedies: error.remedies
            )
        case let error as MartError: self.init(mart: error)
        case let error as ReferenceFault:
            self.init(
                status: .badPipeline,
                summary: "bad reference",
                what: [error.place.map { "\($0.text)." } ?? "bad reference"],
                remedies: [error.remedy]
            )
        case let error as SumOverflow:
            self.init(
                status: .withheld,
                summary: "overflow",
                what: ["overflow"],
                remedies: [error.remedy]
            )
        case let error as SyntheticFault:
            self.init(
                status: .cannotWrite,
                summary: "unwritable file",
                what: ["\(error.path)."],
                remedies: [error.remedy]
            )
        case let fault as SourceFault:
            self.init(
                status: .noUsableInput,
                summary: "a file cannot be read",
                what: ["\(fault.place.file): \(fault.finding)."],
                remedies: [fault.remedy]
            )
        case let fault as PipelineFault: self.init(faults: [fault])
        case let error as PipelineFaults: self.init(faults: error.faults)
        default:
            self.init(
                status: .internalError,
                summary: "internal error",
                what: ["An assumption of the program did not hold. Nothing was published."],
                remedies: ["Keep the input as it is and report the command with its version."]
            )
        }
    }

    private init(mart error: MartError) {
        var what = [error.place.map { "\($0.file): " } ?? ""]
        what[0] += Self.words(error.code.rawValue) + "."
        if let owner = error.lockOwner {
            let since = CivilTime.text(ofSeconds: owner.startedAt)
            what.append(
                "Held by process \(owner.pid) on \(owner.host) since \(since) UTC: "
                    + "\(owner.command)."
            )
        }
        what += error.findings.prefix(20).map {
            "\($0.subject): expected \($0.expected), found \($0.found)."
        }
        self.init(
            status: ExitStatus(error.code),
            summary: Self.words(error.code.rawValue),
            what: what,
            remedies: [error.remedy]
        )
    }

    private init(faults: [PipelineFault]) {
        let count = faults.count
        self.init(
            status: .badPipeline,
            summary: "the pipeline has \(count == 1 ? "a fault" : Counted.text(count, "fault"))",
            what: faults.map(\.description),
            remedies: ["Correct the pipeline, then run the command again."]
        )
    }

    private static func words(_ code: String) -> String {
        code.split(separator: "_").joined(separator: " ")
    }
}

/// The screen of a run that published nothing, or of a query that has no answer.
public struct FailureScreen: Sendable {
    private let failure: Failure
    /// What readers see meanwhile; nil for a query, which changes nothing.
    private let served: (generation: Int?, dataThrough: CivilDate?, staleAfter: String?)?
    private let runNumber: Int?

    /// Shows why a query has no answer.
    ///
    /// - Parameter failure: What went wrong.
    public init(_ failure: Failure) {
        self.failure = failure
        served = nil
        runNumber = nil
    }

    /// Shows the failure of a run.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - served: What readers see meanwhile.
    ///   - runNumber: The run's number in the list of runs.
    public init(
        _ failure: Failure,
        served: (generation: Int?, dataThrough: CivilDate?, staleAfter: String?),
        runNumber: Int?
    ) {
        self.failure = failure
        self.served = served
        self.runNumber = runNumber
    }

    /// The first line, which names the failure.
    public var summary: String {
        let ending = "\(failure.summary) | exit \(failure.status.rawValue)"
        guard let served else { return "FAILED | \(ending)" }
        let word = served.generation == nil ? "NOT PUBLISHED" : "WITHHELD"
        return "\(word) | \(RunScreen.served(served.generation, served.dataThrough)) | "
            + ending
    }

    /// The details below it.
    public var details: [String] {
        var lines = Self.section("What", failure.what)
        if let account = failure.account {
            let text = LedgerText(account.ledger)
            lines += Self.section("Items", [text.items]) + Self.section("Money", [text.money])
            if !account.rejects.isEmpty {
                lines += Self.section("Why", RejectTally.table(account.rejects))
            }
        }
        if served != nil {
            lines += Self.section(
                "Safe?",
                ["Yes. Nothing was published and nothing needs to be undone."]
            )
        }
        if let matter = failure.matter { lines += Self.section("Matter?", [matter]) }
        let steps = failure.remedies
        lines += Self.section(
            "Do",
            steps.count == 1 ? steps : steps.enumerated().map { "\($0 + 1). \($1)" }
        )
        lines += Self.section("Also", failure.notes)
        if let staleAfter = served?.staleAfter {
            lines += Self.section("Until", ["Readers see \"stale\" from \(staleAfter) UTC on."])
        }
        var more = "docs/OPERATIONS.md#\(failure.status.rawValue)"
        if let runNumber { more = "triptych runs show \(runNumber) · " + more }
        return lines + Self.section("More", [more])
    }

    private static func section(_ title: String, _ texts: [String]) -> [String] {
        let indent = String(repeating: " ", count: 8)
        return texts.flatMap { $0.split(separator: "\n").map(String.init) }.enumerated()
            .map { index, line in
                let head = title + String(repeating: " ", count: 8 - title.count)
                return (index == 0 ? head : indent) + line
            }
    }
}
