public import TripDomain

/// What a night did, for the screen, the list of runs and the exit status.
public struct NightReport: Sendable {
    /// How the night ended.
    public enum Outcome: String, Sendable {
        /// A new generation is served.
        case published
        /// All files are known and no edit applies.
        case nothingDue = "nothing_due"
        /// Everything up to the checks was done, and nothing written.
        case dryRun = "dry_run"
    }

    /// How the night ended.
    public var outcome: Outcome
    /// The generation that is served now.
    public var generation: Int?
    /// The generation that was served before.
    public var previousGeneration: Int?
    /// The account of the files taken in now; of all files where the run was full.
    public var ledger = Ledger()
    /// What was rejected of the same files, by reason and field.
    public var rejects: [RejectTally] = []
    /// Files taken in now.
    public var newFileCount = 0
    /// Files known before.
    public var knownFileCount = 0
    /// Accepted trips.
    public var trips: Int64 = 0
    /// Accepted trips of the generation before.
    public var previousTrips: Int64 = 0
    /// The greatest pick-up date accepted.
    public var dataThrough: CivilDate?
    /// The month of `dataThrough` with its sums.
    public var latestMonth: (month: Month, sums: KPISums)?
    /// What the checks said.
    public var checks: [CheckResult] = []
    /// The pipeline as a command names it.
    public var pipelineText = "PIPELINE"
    /// Edits left out.
    public var held: [String] = []
    /// Whether an edit that was left out cannot be used as it stands.
    public var hasFaultyEdit = false
    /// Decisions made by hand that expired, or are of no trip: one clause each.
    public var overrides: [String] = []
    /// Exports that a rollback left out, and that are not taken in.
    public var holds: [Hold] = []
    /// Files of the folder that the generation that was left had otherwise.
    public var leftEdits: [String] = []
    /// The generation whose content was published once more; nil where none was.
    public var contentOf: Int?
    /// Files that cannot be read: path and reason.
    public var refused: [(path: String, reason: String)] = []
    /// Sources whose next export is overdue.
    public var overdue: [SourceClock] = []
    /// Files the operator left out, and whether an earlier content of them still counts.
    public var skipped: [(path: String, stillCounts: Bool)] = []
    /// Files left for the next run: path and reason.
    public var waiting: [(path: String, reason: String)] = []
    /// Files no source claims.
    public var unclaimed: [String] = []
    /// Contents that were replaced as a whole in this run.
    public var replaced: [String] = []
    /// Rejected records, of the files in ``ledger``, that come after all valid versions of their
    /// trips, which stay.
    public var rejectedCorrections = 0
    /// Whether every record was taken for a trip of its own, as the pipeline declares, without looking
    /// for repeated trip ids.
    public var takesTripIDsAsUnique = false
    /// Trips for which the deciding rule, class or basis is another than before, or whether they count,
    /// where stored trips were decided anew; nil where exports were read.
    public var redecided: Int64?
    /// What the edits do, line by line, where stored trips were decided anew.
    public var plan: [String] = []
    /// Integer results of expressions that left 64 bits and became NULL.
    public var overflows = 0
    /// Who published edits with it; nil where nobody did, or nobody is named.
    public var approval: ChangeApproval?
    /// What could not be done after the generation was published; nil where all was.
    public var unfinished: String?
    /// Why the run could not be written into the list of runs; nil where it could.
    public var unlisted: String?
    /// Wall time.
    public var milliseconds: Int64 = 0

    /// A report to be filled in.
    public init(outcome: Outcome) {
        self.outcome = outcome
    }

    /// What the operator should look at.
    public var warningCount: Int {
        checks.count { $0.outcome == .warn } + held.count + refused.count + skipped.count
            + overrides.count
            + (contentOf == nil ? holds.count : 0) + (unfinished == nil ? 0 : 1)
            + (unlisted == nil ? 0 : 1)
    }

    /// The status the command ends with.
    public var status: ExitStatus {
        if !overdue.isEmpty { return .missingFile }
        let looksFine =
            outcome == .nothingDue && refused.isEmpty && !hasFaultyEdit && unlisted == nil
            && overrides.isEmpty
        return warningCount > 0 && !looksFine ? .publishedWithWarnings : .published
    }
}
