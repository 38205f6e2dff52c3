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
    public internal(set) var what: [String]
    /// Steps for the operator, in order.
    public let remedies: [String]
    /// Why the failure matters to readers; nil where that is not known.
    public let matter: Matter?
    /// What was read and how it was accounted for; nil where the failure is not about that.
    public internal(set) var account: Account?
    /// The run so far, for its notes; nil where there are none.
    public internal(set) var report: RunReport?

    /// Why a failure matters to readers.
    public enum Matter: Sendable {
        /// The numbers of the latest month if the run went on without the cause.
        case without(Month, KPISums)
        /// Readers of this generation may have read wrong numbers.
        case wrongNumbers(generation: Int)
    }

    /// What a run read before it was withheld.
    public struct Account: Sendable {
        /// The items that were read, and what became of them.
        public let ledger: Ledger
        /// The rejects by reason and field, the most frequent first.
        public let rejects: [RejectTally]
    }

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - status: The status the command ends with.
    ///   - summary: One short clause for the first line.
    ///   - what: What was found.
    ///   - remedies: Steps for the operator, in order.
    ///   - matter: Why it matters to readers.
    public init(
        status: ExitStatus,
        summary: String,
        what: [String],
        remedies: [String],
        matter: Matter? = nil
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
    public init(_ error: any Error) { self.init(error, zone: nil) }

    /// Turns any error into a failure whose times are those of a zone's clock.
    ///
    /// - Parameters:
    ///   - error: Any error.
    ///   - zone: The zone; nil shows times in UTC.
    init(_ error: any Error, zone: TimeZoneRules?) {
        switch error {
        case let failure as Failure: self = failure
        case let error as RunError:
            self.init(
                status: ExitStatus(error.code),
                summary: UnseenCharacters.named(in: error.summary),
                what: [UnseenCharacters.named(in: error.what)],
                remedies: error.remedies.map { UnseenCharacters.named(in: $0) }
            )
        case let error as MartError: self.init(mart: error, zone: zone)
        case let error as ReferenceFaults: self.init(error)
        case let error as SumOverflow:
            self.init(
                status: .withheld,
                summary: error.summary,
                what: [error.finding],
                remedies: [error.remedy]
            )
        case let error as SyntheticFault:
            self.init(
                status: .cannotWrite,
                summary: "unwritable file",
                what: [UnseenCharacters.named(in: "\(error.path): \(error.finding).")],
                remedies: [error.remedy]
            )
        case let fault as SourceFault:
            self.init(
                status: fault.isOfFile ? .noUsableInput : .ioFailed,
                summary: fault.isOfFile ? "a file cannot be read" : "no more files can be opened",
                what: ["\(UnseenCharacters.named(in: fault.position.file)): \(fault.finding)."],
                remedies: [fault.remedy]
            )
        case let fault as PipelineFault: self.init(PipelineFaults(faults: [fault]))
        case let error as PipelineFaults: self.init(error)
        default:
            self.init(
                status: .internalError,
                summary: "internal error",
                what: ["An assumption of the program did not hold. Nothing was published."],
                remedies: ["Keep the input as it is and report the command with its version."]
            )
        }
    }

    private init(mart error: MartError, zone: TimeZoneRules?) {
        var what = [error.position.map { "\(UnseenCharacters.named(in: $0.file)): " } ?? ""]
        what[0] += Self.words(error.code.rawValue) + "."
        if let location = error.tripLocation {
            what = [
                "The trips of generation \(error.generation ?? 0) lie at "
                    + "\(UnseenCharacters.named(in: location.uri)): a cluster read them, and the mart has "
                    + "their numbers alone."
            ]
        }
        if let owner = error.lockOwner {
            let since = LocalTime.text(owner.startedAt, in: zone)
            what.append(
                "Held by process \(owner.pid) on \(owner.host) since \(since): "
                    + "\(owner.command)."
            )
        }
        what += error.findings.prefix(20).map {
            "\($0.subject): expected \($0.expected), found \($0.found)."
        }
        let rest = error.findings.count - min(error.findings.count, 20)
        if rest > 0 { what.append("and \(rest) more of these.") }
        let isIncomplete = error.code == .incomplete
        self.init(
            status: ExitStatus(error.code),
            summary: isIncomplete
                ? "the mart is incomplete"
                : error.tripLocation == nil
                    ? Self.words(error.code.rawValue) : "the trips lie elsewhere",
            what: what,
            remedies: Self.martBelow(error).map { [$0] }
                ?? error.remedy.split(separator: "\n").map {
                    UnseenCharacters.named(in: String($0))
                }
        )
    }

    /// Names the mart that lies in a folder in which nothing is published, as after `make run`.
    private static func martBelow(_ error: MartError) -> String? {
        guard error.code == .nothingServed, let folder = error.position?.file else { return nil }
        // A folder that cannot be listed has no mart that could be named.
        let marts = (FileText.names(in: folder) ?? []).map { folder + "/" + $0 }.filter { path in
            (try? MartFolder(path: path).servedNumber()) != nil
        }
        guard let first = marts.first else { return nil }
        let path = ShellWord.quoted(first)
        let others = marts.count - 1
        let more = others > 0 ? " (and \(Counted.text(others, "more mart")) beside it)" : ""
        return "A mart lies below it\(more): add --mart \(path), or once for all commands: "
            + "export TRIPTYCH_MART=\(path)"
    }

    private init(_ error: PipelineFaults) {
        let count = error.faults.count
        func some(_ noun: String) -> String {
            count == 1 ? "a \(noun)" : Counted.text(count, noun)
        }
        self.init(
            status: .badPipeline,
            summary: error.isOfSystem
                ? "\(some("file")) of the pipeline cannot be read"
                : "the pipeline has \(some("fault"))",
            what: error.faults.map(\.description),
            remedies: [
                error.isOfSystem
                    ? "Make the files readable, then run the command again."
                    : "Correct the pipeline, then run the command again."
            ]
        )
    }

    private init(_ error: ReferenceFaults) {
        let only = error.faults.count == 1 ? error.faults.first : nil
        self.init(
            status: .badPipeline,
            summary: "bad reference",
            what: only.map { [$0.position.map { "\($0.text)." } ?? "bad reference"] }
                ?? PipelineFaults(error)?.faults.map(\.description) ?? [],
            remedies: [
                only?.remedy ?? "Correct the reference file, then run the command again."
            ]
        )
    }

    private static func words(_ code: String) -> String {
        code.split(separator: "_").joined(separator: " ")
    }
}
