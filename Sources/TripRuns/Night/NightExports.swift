import TripDomain
import TripEngine
import TripMart

/// Every export of a run, read and classified, in order of exports; refused ones left out.
struct NightExports {
    /// A file that could not be taken in.
    struct Refusal {
        let path: String
        let reason: String
        let remedy: String
        /// Whether the source withholds the night for it.
        let isWithholding: Bool
        /// Whether it could be read, and its trips have no place in this mart.
        var isMisplaced = false
        /// Whether leaving it out is a way out; of files that stand for one export it may be any.
        var maySkip = true
    }

    /// The files that could be read.
    private(set) var files: [ExportsReading.ReadFile] = []
    /// Per file, whether its records stand.
    let isCurrent: [Bool]
    let refusals: [Refusal]
    /// Known contents that this run's new files replaced as a whole.
    let replaced: [String]
    /// Whether the trips are generated ones.
    let isSynthetic: Bool
    /// What rollbacks left out, and what was asked for in vain; edits no more where somebody publishes some.
    let holds: [Hold]
    /// The exports among it to be named: those that nothing mended, and those that were delivered again.
    let heldExports: [Hold]
    /// Why the night cannot go on; nil where it can.
    let conflict: RunError?

    init(
        _ intake: NightIntake,
        _ setting: NightSetting,
        _ options: RunOptions,
        progress: Progress
    ) throws {
        let sources = setting.pipeline.sources
        let results = Self.read(intake.files, setting, options, progress)
        var refusals = intake.refusals.map { refusal in
            Refusal(
                path: refusal.path,
                reason: refusal.reason,
                remedy: refusal.remedy,
                isWithholding: sources[refusal.sourceIndex].onRefusedFile == .withhold,
                maySkip: refusal.maySkip
            )
        }
        var read: [ExportsReading.ReadFile] = []
        for (file, result) in zip(intake.files, results) {
            switch result {
            case .success(let reading): read.append(reading)
            case .failure(let error):
                // A reserved word is a fault of the pipeline, whichever file shows it.
                if error is RunError { throw error }
                guard file.entry.isNew else { throw Self.damaged(file, error) }
                let (reason, remedy) = Self.words(error, holdsEdits: !setting.held.isEmpty)
                refusals.append(Refusal(file.entry, reason, remedy, sources))
            }
        }
        let origin = TripOrigin(served: intake.servesGenerated, files: read)
        for file in read {
            guard let reason = origin.objection(to: file) else { continue }
            guard file.entry.isNew else { throw TripOrigin.mixture(file, reason) }
            var refusal = Refusal(file.entry, reason, TripOrigin.remedy, sources)
            refusal.isMisplaced = true
            refusals.append(refusal)
        }
        read.removeAll { origin.objection(to: $0) != nil }
        isSynthetic = origin.isGenerated ?? false
        conflict = origin.conflict
        self.refusals = refusals
        // Without a refused file, the content before it stands again.
        let register = FileRegister(read.map(\.entry), sources: sources)
        isCurrent = register.isCurrent
        replaced = Self.replaced(read, sources)
        files = read.enumerated().map { $1.numbered($0) }
        let left = Self.left(intake.holds, read, sources)
        // A file that was refused mends nothing.
        heldExports = left.named(
            counting: read.map { (Self.key($0.entry, sources), $0.entry.sequence) },
            again: intake.heldAgain
        )
        holds = options.appliesChanges && setting.changesDecisions ? left.files : left
    }

    /// Reads what was taken in before, and nothing else.
    ///
    /// - Parameters:
    ///   - files: The exports, in order, as they lie in the archive.
    ///   - isGenerated: Whether the generation they belong to is of generated trips.
    ///   - setting: What they are classified with.
    ///   - options: The threads to use.
    ///   - progress: Where progress is shown.
    /// - Throws: ``RunError`` where one cannot be read, or has no place among the others.
    init(
        known files: [Intake.File],
        isGenerated: Bool,
        _ setting: NightSetting,
        _ options: RunOptions,
        progress: Progress
    ) throws {
        var read: [ExportsReading.ReadFile] = []
        for (file, result) in zip(files, Self.read(files, setting, options, progress)) {
            switch result {
            case .success(let reading): read.append(reading)
            case .failure(let error): throw error is RunError ? error : Self.damaged(file, error)
            }
        }
        let origin = TripOrigin(served: isGenerated, files: read)
        for file in read {
            if let reason = origin.objection(to: file) { throw TripOrigin.mixture(file, reason) }
        }
        isSynthetic = isGenerated
        isCurrent = FileRegister(read.map(\.entry), sources: setting.pipeline.sources).isCurrent
        self.files = read.enumerated().map { $1.numbered($0) }
        (refusals, replaced, holds, heldExports, conflict) = ([], [], [], [], nil)
    }

    private static func read(
        _ files: [Intake.File],
        _ setting: NightSetting,
        _ options: RunOptions,
        _ progress: Progress
    ) -> [Result<ExportsReading.ReadFile, any Error>] {
        ExportsReading(
            pipeline: setting.pipeline,
            classifier: setting.classifier,
            zones: setting.zones,
            keepsTrips: options.keepsTrips(of: setting.pipeline),
            threadCount: options.threadCount,
            progress: progress
        ).read(files)
    }

    /// What goes on being held: what was asked for and could not be had as well.
    private static func left(
        _ holds: SortedHolds,
        _ read: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition]
    ) -> [Hold] {
        holds.staying
            + holds.included.filter { hold in
                !read.contains { file in
                    key(file.entry, sources) == PathKey(hold)
                        && hold.isContent(
                            archiveHash: file.entry.archiveHash,
                            contentHash: file.summary.digest.contentHash ?? file.entry.contentHash
                        )
                }
            }
    }

    /// Known contents that new ones replace as a whole.
    private static func replaced(
        _ read: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition]
    ) -> [String] {
        let places = read.map { (key($0.entry, sources), $0.entry.sequence) }
        let first = Dictionary(places) { min($0, $1) }
        return read.map(\.entry).filter { entry in
            entry.isNew && sources[entry.sourceIndex].replaces != .nothing
                && entry.sequence > first[key(entry, sources)] ?? entry.sequence
        }.map { "the earlier content of \($0.path)" }
    }

    private static func key(_ entry: FileRegister.Entry, _ sources: [SourceDefinition]) -> PathKey {
        PathKey(source: sources[entry.sourceIndex].name, path: entry.path)
    }

    /// Whether some file was taken in for the first time.
    var hasNews: Bool { files.contains(where: \.entry.isNew) }

    /// The sources a new file of which could be taken in.
    func newSources(_ pipeline: PipelineDefinition) -> Set<String> {
        Set(files.filter(\.entry.isNew).map { pipeline.sources[$0.entry.sourceIndex].name })
    }

    /// Integer results of expressions that left 64 bits.
    var overflows: Int { files.reduce(0) { $0 + $1.content.overflows } }

    /// The batches of the files that stand, in order of exports.
    var currentBatches: [PackedBatch] {
        zip(files, isCurrent).filter(\.1).flatMap(\.0.content.batches)
    }

    /// What the trips of the files that stand add up to, where trips are not kept.
    func currentTotals(rules: [RuleEntry]) -> TripTotals {
        zip(files, isCurrent).filter(\.1).compactMap(\.0.content.totals)
            .reduce(into: TripTotals(rules: rules)) { $0.add($1) }
    }

    /// What refuses a file, in words that hold nothing of its content.
    private static func words(
        _ error: any Error,
        holdsEdits: Bool = false
    ) -> (reason: String, remedy: String) {
        switch error {
        case let fault as SourceFault: (fault.finding, fault.remedy)
        case let mismatch as LayoutMismatch: (mismatch.text, remedy(mismatch, holdsEdits))
        default: ("it cannot be read", "Get the file again.")
        }
    }

    private static func remedy(_ mismatch: LayoutMismatch, _ holdsEdits: Bool) -> String {
        if !mismatch.ambiguous.isEmpty {
            return "Tell the layouts apart: `unknown_columns: refuse`, or a column one of them "
                + "alone has."
        }
        return holdsEdits
            ? "Get the export in a declared layout. An edit of the pipeline is held: if it declares "
                + "the layout of this export, publish it with --apply-changes."
            : "Get the export in a declared layout, or add a layout to the pipeline."
    }

    private static func damaged(_ file: Intake.File, _ error: any Error) -> RunError {
        let (reason, _) = words(error)
        return RunError(
            .ioFailed,
            summary: "a known file can no longer be read",
            what: "\(file.entry.path), kept in the mart's archive, \(reason).",
            remedies: [
                "Restore the mart's archive from its backup, or undo the change of the layout "
                    + "that no longer fits the file."
            ]
        )
    }
}

extension NightExports.Refusal {
    init(
        _ entry: FileRegister.Entry,
        _ reason: String,
        _ remedy: String,
        _ sources: [SourceDefinition]
    ) {
        path = entry.path
        self.reason = reason
        self.remedy = remedy
        isWithholding = sources[entry.sourceIndex].onRefusedFile == .withhold
    }
}
