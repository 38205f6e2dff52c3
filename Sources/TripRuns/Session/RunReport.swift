public import TripDomain
import TripEngine
public import TripMart

/// The result of a run, for what it prints, the list of runs and the exit status.
public struct RunReport: Sendable {
    /// How the run ended.
    public enum Outcome: String, Sendable {
        /// A new generation is served.
        case published
        /// All files are known and no edit is published.
        case nothingDue = "nothing_due"
        /// Everything up to the checks was done, and nothing written.
        case dryRun = "dry_run"
        /// A file or a check kept the run from publishing.
        case withheld
    }

    /// How the run ended.
    public var outcome: Outcome
    /// The generation that is served now.
    public var generation: Int?
    /// The generation that was served before.
    public var previousGeneration: Int?
    /// The account of the files of this run; of all files where the run was full.
    public var ledger = Ledger()
    /// The rejects of the same files, by reason and field.
    public var rejects: [RejectTally] = []
    /// Files taken in now.
    public var newFileCount = 0
    /// Files known before.
    public var knownFileCount = 0
    /// Accepted trips.
    public var trips: Int64 = 0
    /// Accepted trips of the generation before.
    public var previousTrips: Int64 = 0
    /// Accepted trips that were read from the files taken in now.
    public var takenTrips: Int64 = 0
    /// The greatest pick-up date accepted.
    public var dataThrough: CivilDate?
    /// The month of `dataThrough` with its sums.
    public var latestMonth: (month: Month, sums: KPISums)?
    /// The months whose sums the run moved, in order; none where nothing was served before.
    public var moves: [MonthMove] = []
    /// The sums of all months; of a run that reads exports.
    public var months: [Month: KPISums] = [:]
    /// The declared measures of all counted trips, of a dry run; empty where none is declared.
    public var measures: [MeasureChange.State] = []
    /// The files of ``ledger`` with the account of each.
    public var files: [(path: String, ledger: Ledger)] = []
    /// The results of the checks.
    public var checks: [CheckResult] = []
    /// The arguments that name the pipeline, its folders and the mart in a command.
    public var pipelineWords = "PIPELINE"
    /// The command of another run of the same pipeline, folders and mart.
    public var nextRun = "triptych run PIPELINE"
    /// The command that repeats the run, with all that was asked of it.
    var again = "triptych run PIPELINE"
    /// Where the trips lie, of a run on a cluster; nil where the mart has them.
    public var tripsAt: String?
    /// The flags that name the mart in a command, after a blank each.
    public var martFlags = ""
    /// The held edits.
    public var held: [String] = []
    /// Whether a held edit has a fault.
    public var hasFaultyEdit = false
    /// Decisions made by hand that expired, or that no trip matches: one clause each.
    public var overrides: [String] = []
    /// Exports that a rollback excluded, and that are not taken in.
    public var exclusions: [Exclusion] = []
    /// Files of the folder that differ from those of the generation that was left by a rollback.
    public var excludedEdits: [String] = []
    /// The generation whose content was published again; nil where none was.
    public var contentOf: Int?
    /// Files that cannot be read: path and reason.
    public var refused: [(path: String, reason: String)] = []
    /// Sources whose next export is overdue.
    public var overdue: [SourceClock] = []
    /// The pipeline's own zone, in which people read times; nil shows them in UTC.
    var localZone: TimeZoneRules?
    /// Files the operator left out, and whether an earlier content of them still counts.
    public var skipped: [(path: String, stillCounts: Bool)] = []
    /// Files that bring nothing or far less than they replace, accepted by the operator: path and
    /// what they do.
    public var acceptedSmaller: [(path: String, clause: String)] = []
    /// Entries of the input folder that are not read, and why.
    public var unread: [UnreadEntry] = []
    /// Files that match no source.
    public var unclaimed: [String] = []
    /// The pattern that a source could name to claim some of them in further folders, and how many;
    /// nil where none would.
    public var widerPattern: (pattern: String, count: Int)?
    /// Contents that this run replaced as a whole.
    public var replaced: [String] = []
    /// Rejected records, of the files in ``ledger``, that come after all valid versions of their
    /// trips, so that those stay accepted.
    public var rejectedCorrections = 0
    /// Whether every record counts as a trip of its own, as the pipeline declares, without a check
    /// for repeated trip ids.
    public var takesTripIDsAsUnique = false
    /// Trips whose deciding rule, class, basis or counting changed, where stored trips were
    /// classified again; nil where exports were read.
    public var reclassified: Int64?
    /// The published plan, where stored trips were classified again; nil where exports were read.
    public var plan: PlanAnswer?
    /// Integer results of expressions that left 64 bits and became NULL.
    public var overflows = 0
    /// The author and approver of the published edits; nil where none were published, or none is
    /// named.
    public var approval: ChangeApproval?
    /// The step that failed after the generation was published; nil where none did.
    public var unfinished: String?
    /// Why the run could not be written into the list of runs; nil where it could.
    public var unlisted: String?
    /// The generation that was damaged, and that was built again from the archive; nil where none
    /// was.
    public var rebuilt: Int?
    /// Damaged history files, which nothing was compared with.
    public var damagedHistory: [String] = []
    /// Whether the file of the generation before is damaged or missing: no command reads it.
    public var isPreviousDamaged = false
    /// What is missing of the history; nil where nothing is.
    public var historyLoss: HistoryLoss?
    /// The generation that a rollback left although nothing says any more what it was made from;
    /// nil where none is.
    public var unreadableLeft: Int?
    /// Whether the list of runs was missing, so that another one begins with this run.
    public var hasLostRuns = false
    /// Wall time.
    public var milliseconds: Int64 = 0

    /// A report to be filled in.
    public init(outcome: Outcome) {
        self.outcome = outcome
    }

    /// A report of a run in a mart, whose losses it names.
    ///
    /// Its hints name the pipeline, the folders and the mart.
    init(outcome: Outcome, _ options: RunOptions, _ mart: RunMart) {
        self.outcome = outcome
        pipelineWords = options.pipelineWords
        nextRun = "triptych run \(options.runWords)"
        again = "triptych run \(options.againWords)"
        martFlags = options.martFlags
        historyLoss = mart.historyLoss.isEmpty ? nil : mart.historyLoss
    }

    /// The files that were rejected for the greater part.
    public var rejectedFiles: [(path: String, ledger: Ledger)] {
        // A check of the pipeline's own says which share of rejects is meant.
        let hasLimit = checks.contains {
            !$0.id.hasPrefix("built-in-") && $0.condition.contains("reject")
        }
        return files.filter { file in
            let ledger = file.ledger
            return hasLimit
                ? ledger.read.items > 0 && ledger[.rejected].items == ledger.read.items
                : ledger.isMostlyRejected
        }
    }

    /// The entries of the input folder that are not read and that the operator should look at.
    public var doubts: [UnreadEntry] { unread.filter(\.isInDoubt) }

    /// The number of things the operator should check.
    public var warningCount: Int {
        checks.count { $0.outcome == .warn } + held.count + refused.count + skipped.count
            + overrides.count + acceptedSmaller.count + damagedHistory.count + rejectedFiles.count
            + doubts.count
            + (contentOf == nil ? exclusions.count : 0) + (unfinished == nil ? 0 : 1)
            + (unlisted == nil ? 0 : 1) + lossCount
    }

    /// The number of things that were found to be missing in the mart.
    private var lossCount: Int {
        [historyLoss != nil, unreadableLeft != nil, hasLostRuns].count(where: \.self)
    }

    /// The status the command ends with.
    public var status: ExitStatus {
        if !overdue.isEmpty { return .missingFile }
        let looksFine =
            outcome == .nothingDue && refused.isEmpty && !hasFaultyEdit && unlisted == nil
            && overrides.isEmpty && doubts.isEmpty && skipped.isEmpty && lossCount == 0
        return warningCount > 0 && !looksFine ? .publishedWithWarnings : .published
    }
}
