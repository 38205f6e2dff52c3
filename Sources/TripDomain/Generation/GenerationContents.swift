/// A valid version of a trip that is not the accepted one, or a line of a claim that is no trip.
public struct TripVersion: Sendable, Hashable {
    /// The trip; of a line, the trip that it belongs to, or its own id where it belongs to none.
    public var tripID: String
    /// `duplicate`, `superseded`, or of a line `merged` or `withdrawn`.
    public var term: LedgerTerm
    /// The index of its file in the generation's list of files.
    public let fileIndex: Int
    /// The record, from 1.
    public let recordNumber: Int
    /// The physical line, from 1.
    public let lineNumber: Int
    /// The version's amount in cents; nil where not known.
    public var amountCents: Int64?

    /// Describes one version.
    public init(
        tripID: String,
        term: LedgerTerm,
        fileIndex: Int,
        recordNumber: Int,
        lineNumber: Int,
        amountCents: Int64?
    ) {
        self.tripID = tripID
        self.term = term
        self.fileIndex = fileIndex
        self.recordNumber = recordNumber
        self.lineNumber = lineNumber
        self.amountCents = amountCents
    }
}

/// A text the generation was made from: a pipeline file, a reference file, an override list.
public struct GenerationInput: Sendable, Hashable {
    /// What kind of input it is.
    public enum Role: String, Sendable, CaseIterable {
        /// A YAML file of the pipeline folder.
        case pipeline
        /// A reference CSV file.
        case reference
        /// A list of manual overrides.
        case override
    }

    /// What kind of input it is.
    public let role: Role
    /// Its path below its folder.
    public let path: String
    /// SHA-256 of its bytes, lower-case hexadecimal.
    public let hash: String
    /// Its bytes.
    public let content: [UInt8]

    /// Describes one input.
    public init(role: Role, path: String, hash: String, content: [UInt8]) {
        self.role = role
        self.path = path
        self.hash = hash
        self.content = content
    }
}

/// The result of one check before publication.
public struct CheckResult: Sendable, Hashable {
    /// What the check means for publication.
    public enum Outcome: String, Sendable {
        /// Its condition does not hold.
        case pass
        /// Its condition holds; published with a warning.
        case warn
        /// Its condition holds; publication is withheld.
        case error
        /// It could not be evaluated, as when there is no history yet.
        case skipped
    }

    /// Its id in the pipeline.
    public let id: String
    /// Its condition, as written.
    public let condition: String
    /// The outcome.
    public let outcome: Outcome
    /// The measured value and the limit, for people.
    public let detail: String

    /// Describes one result.
    public init(id: String, condition: String, outcome: Outcome, detail: String) {
        self.id = id
        self.condition = condition
        self.outcome = outcome
        self.detail = detail
    }
}

/// One value of a dimension with its label for people.
public struct DimensionLabel: Sendable, Hashable {
    /// The value as trips and cells store it.
    public let value: String
    /// The label that people read; the value itself where the pipeline gives none.
    public let label: String

    /// Pairs a value with its label.
    public init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}

/// The one row of `generation`.
public struct GenerationHeader: Sendable, Hashable {
    /// Its number, from 1; never reused.
    public var number: Int
    /// The pipeline it belongs to.
    public var pipeline: String
    /// Whether its data is generated.
    public var isSynthetic: Bool
    /// When it was published: local text with offset, `YYYY-MM-DD HH:MM:SS ±HH:MM`.
    public var publishedAt: String
    /// The greatest pick-up date accepted; nil where there are no trips.
    public var dataThrough: CivilDate?
    /// The time from which readers should call it stale, as UTC text; nil where no export is
    /// expected.
    public var staleAfter: String?
    /// The number of days past its end after which a month is settled.
    public var settlesAfterDays: Int
    /// The largest count that is suppressed in `kpi.sqlite` plus one; 0 suppresses nothing.
    public var suppressBelow: Int
    /// SHA-256 over the rules in force, lower-case hexadecimal.
    public var rulesHash: String
    /// SHA-256 over the reference files in force, lower-case hexadecimal.
    public var referenceHash: String

    /// Describes one generation.
    public init(
        number: Int,
        pipeline: String,
        isSynthetic: Bool,
        publishedAt: String,
        dataThrough: CivilDate?,
        staleAfter: String?,
        settlesAfterDays: Int,
        suppressBelow: Int,
        rulesHash: String,
        referenceHash: String
    ) {
        self.number = number
        self.pipeline = pipeline
        self.isSynthetic = isSynthetic
        self.publishedAt = publishedAt
        self.dataThrough = dataThrough
        self.staleAfter = staleAfter
        self.settlesAfterDays = settlesAfterDays
        self.suppressBelow = suppressBelow
        self.rulesHash = rulesHash
        self.referenceHash = referenceHash
    }

    /// Whether a month may still grow: it is open until `settlesAfterDays` past its end,
    /// measured against the data, not the clock.
    public func isOpen(_ month: Month) -> Bool {
        guard let dataThrough else { return true }
        return dataThrough.dayNumber < settleDate(of: month).dayNumber
    }

    /// The day a month settles: the first on which it is no longer open.
    public func settleDate(of month: Month) -> CivilDate {
        CivilDate(dayNumber: month.lastDay.dayNumber + Int32(settlesAfterDays))
    }
}

/// Everything one generation holds, handed from the run to the mart in whole columns.
public struct GenerationContents: Sendable {
    /// The small tables: the generation's description and the totals.
    public var summary: GenerationSummary
    /// The columns of a trip.
    public var shape: TripShape
    /// All valid trips, classified, in order of exports.
    public var batches: [PackedBatch]
    /// The accepted trips in stored order: by local pick-up time, then by trip id.
    public var acceptedOrder: [TripPosition]
    /// Valid versions that are not accepted, by trip id, then order of exports.
    public var versions: [TripVersion]
    /// The rejects, in order of exports.
    public var rejects: [Reject]
    /// The raw record of each reject, to be sealed; as many as `rejects`.
    public var rejectTexts: any RejectTexts

    /// Gathers the parts of one generation.
    public init(
        summary: GenerationSummary,
        shape: TripShape,
        batches: [PackedBatch],
        acceptedOrder: [TripPosition],
        versions: [TripVersion],
        rejects: [Reject],
        rejectTexts: any RejectTexts
    ) {
        self.summary = summary
        self.shape = shape
        self.batches = batches
        self.acceptedOrder = acceptedOrder
        self.versions = versions
        self.rejects = rejects
        self.rejectTexts = rejectTexts
    }
}

/// The small tables of a generation: its description and the totals of its trips.
public struct GenerationSummary: Sendable {
    /// The generation's own row.
    public var header: GenerationHeader
    /// All files ever taken in, in order of exports.
    public var files: [SourceFileEntry]
    /// When each source last delivered a file, in the pipeline's order.
    public var clocks: [SourceClock]
    /// The rules in force, in order.
    public var rules: [RuleEntry]
    /// All cells of all eight grouping sets, by primary key.
    public var cube: [KPICell]
    /// The cube split by class and basis, by primary key.
    public var basisCells: [BasisCell]
    /// All regions that occur, with labels, by value.
    public var regions: [DimensionLabel]
    /// All trip types that occur, with labels, by value.
    public var tripTypes: [DimensionLabel]
    /// The reference tables of all lookups, in the pipeline's order.
    public var references: [ReferenceTable]
    /// The texts the generation was made from.
    public var inputs: [GenerationInput]
    /// The results of the checks.
    public var checks: [CheckResult]
    /// The contents that rollbacks left out and that no run was asked to include since.
    public var exclusions: [Exclusion] = []
    /// The goals of the pipeline, in order of their months.
    public var goals: [Goal] = []
    /// The measures and dimensions that the pipeline declares, with their cells.
    public var declared = DeclaredKPIs()
    /// The month that fiscal years begin with, from 1.
    public var fiscalYearStart = Month.federalYearStart
    /// The people who published edits with it; nil where it has no edits.
    public var approval: ChangeApproval?
    /// Where its trips lie; nil where its own file has them.
    public var tripLocation: TripLocation?

    /// Gathers the parts.
    public init(
        header: GenerationHeader,
        files: [SourceFileEntry],
        clocks: [SourceClock],
        rules: [RuleEntry],
        cube: [KPICell],
        basisCells: [BasisCell],
        regions: [DimensionLabel],
        tripTypes: [DimensionLabel],
        references: [ReferenceTable],
        inputs: [GenerationInput],
        checks: [CheckResult],
        approval: ChangeApproval? = nil
    ) {
        self.header = header
        self.files = files
        self.clocks = clocks
        self.rules = rules
        self.cube = cube
        self.basisCells = basisCells
        self.regions = regions
        self.tripTypes = tripTypes
        self.references = references
        self.inputs = inputs
        self.checks = checks
        self.approval = approval
    }
}

/// The people who answer for edits that were published.
///
/// The names are kept as the command received them; the program does not verify them.
public struct ChangeApproval: Sendable, Hashable {
    /// The saved plan that was published; nil where the folder was taken as it was.
    public let plan: String?
    /// The author of the plan, who made the edits.
    public let madeBy: String
    /// The person who approved the edits; nil where no approver was named.
    public let approvedBy: String?

    /// Describes one approval.
    public init(plan: String?, madeBy: String, approvedBy: String?) {
        self.plan = plan
        self.madeBy = madeBy
        self.approvedBy = approvedBy
    }
}

/// When a source last delivered a file, and when its next export is overdue.
///
/// The times are those at which runs took files in. Like the time of publication, they cannot be
/// computed again from the files.
public struct SourceClock: Sendable, Hashable {
    /// The source's name in the pipeline.
    public let source: String
    /// How often an export is expected, in the pipeline's word; nil where none is.
    public let expects: String?
    /// When a run last took in a new file of the source, as UTC text; nil where none ever came.
    public let lastArrivalAt: String?
    /// The time from which the next export is awaited, as UTC text; nil where none is expected.
    public let awaitedSince: String?
    /// The time after which the next export is overdue, as UTC text; nil where none is expected.
    public let overdueAfter: String?

    /// Describes the clock of one source.
    ///
    /// - Parameters:
    ///   - source: The source's name in the pipeline.
    ///   - expects: How often an export is expected.
    ///   - lastArrivalAt: When a run last took in a new file of the source.
    ///   - awaitedSince: The time from which the next export is awaited.
    ///   - overdueAfter: The time after which the next export is overdue.
    public init(
        source: String,
        expects: String?,
        lastArrivalAt: String?,
        awaitedSince: String?,
        overdueAfter: String?
    ) {
        self.source = source
        self.expects = expects
        self.lastArrivalAt = lastArrivalAt
        self.awaitedSince = awaitedSince
        self.overdueAfter = overdueAfter
    }
}
