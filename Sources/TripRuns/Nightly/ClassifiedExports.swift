import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// Every export of a run, read and classified, in order of exports; without refused ones.
struct ClassifiedExports {
    /// Why a file that could be read is not taken in.
    enum Objection {
        /// Its trips do not belong in this mart.
        case otherKind
        /// It brings nothing, or far less than it replaces.
        case smaller
        /// It is in force, and a divided run has it no more.
        case gone
    }

    /// A file that could not be taken in.
    struct Refusal {
        let path: String
        let reason: String
        let remedy: String
        /// Whether the source withholds publication because of it.
        let isWithholding: Bool
        /// Why it could be read and is not taken in.
        var objection: Objection?
        /// Whether `--skip` helps; of several files that are the same export, it may be any.
        var maySkip = true
        /// Whether it can be read, and another file is the same export.
        var isTwin = false
    }

    /// The files that could be read, and what the lines of their claims were joined into.
    private let joined: JoinedExports
    /// Per file, whether its records are in force.
    let isCurrent: [Bool]
    let refusals: [Refusal]
    /// Files that were written to while they were read: a dry run reads the delivered files.
    let changed: [UnreadEntry]
    /// Known contents that this run's new files replaced as a whole.
    let replaced: [String]
    /// Files that bring nothing or far less than they replace, and that the operator accepts.
    let acceptedSmaller: [(path: String, clause: String)]
    /// Whether the trips are synthetic.
    let isSynthetic: Bool
    /// The exclusions of rollbacks, with files that could not be included again.
    ///
    /// Excluded edits are gone from it where this run publishes edits.
    let exclusions: [Exclusion]
    /// The excluded exports to report: those that no later content replaced, and those that were
    /// delivered again.
    let excludedExports: [Exclusion]
    /// Why the run cannot go on; nil where it can.
    let conflict: RunError?
    /// Where the raw records of rejects are kept; nil where no generation is written.
    let rejectTexts: RejectSpool?

    init(
        _ intake: RunFiles,
        _ setting: RunConfiguration,
        _ options: RunOptions,
        progress: Progress
    ) throws {
        let sources = setting.pipeline.sources
        rejectTexts = intake.rejectTexts
        let reading = ExportsReading(setting, options, rejectTexts, progress)
        let results = reading.read(intake.files)
        var refusals = Self.refusals(intake, sources)
        var read: [ExportsReading.ReadFile] = []
        var changed: [UnreadEntry] = []
        for (file, result) in zip(intake.files, results) {
            switch result {
            case .success(let reading): read.append(reading)
            case .failure(let error):
                // A reserved word is a fault of the pipeline, whichever file shows it; and what
                // cannot be written is no fault of the file that is read.
                if error is RunError || error is MartError { throw error }
                if let fault = error as? SourceFault, !fault.isOfFile { throw fault }
                guard file.entry.isNew else { throw Self.damaged(file, error) }
                if (error as? SourceFault)?.code == .changedWhileRead {
                    changed.append(.changed(file.entry.path))
                    continue
                }
                let (reason, remedy) = Self.words(error, holdsEdits: !setting.held.isEmpty)
                refusals.append(Refusal(file.entry, reason, remedy, sources))
            }
        }
        let origin = TripOrigin(served: intake.servesGenerated, files: read)
        refusals += try Self.ofOtherKind(read, origin, sources)
        read.removeAll { origin.objection(to: $0) != nil }
        let smaller = SmallerFiles(read, sources, accepting: options.acceptedFiles)
        for finding in smaller.refused {
            let (entry, clause) = (read[finding.index].entry, finding.clause)
            var refusal = Refusal(entry, clause, SmallerFiles.remedy, sources)
            refusal.objection = .smaller
            refusals.append(refusal)
        }
        acceptedSmaller = smaller.accepted.map { (read[$0.index].entry.path, $0.clause) }
        try Self.requireUsed(options.acceptedFiles, acceptedSmaller.map(\.path))
        let refused = Set(smaller.refused.map(\.index))
        read = read.indices.filter { !refused.contains($0) }.map { read[$0] }
        isSynthetic = origin.isGenerated ?? false
        conflict = origin.conflict
        self.refusals = refusals
        self.changed = changed
        // Without a refused file, the content before it is in force again.
        let register = FileRegister(read.map(\.entry), sources: sources)
        isCurrent = register.isCurrent
        replaced = Self.replaced(read, sources)
        joined = try JoinedExports(
            read,
            register.isCurrent,
            setting,
            options,
            rejectTexts,
            progress
        )
        let left = Self.left(intake.exclusions, read, sources)
        // A refused file replaces nothing.
        excludedExports = left.named(
            counting: read.map { (Self.key($0.entry, sources), $0.entry.sequence) },
            again: intake.excludedAgain
        )
        exclusions = options.appliesChanges && setting.changesDecisions ? left.files : left
    }

    /// The entries that were refused before they were read.
    private static func refusals(_ intake: RunFiles, _ sources: [SourceDefinition]) -> [Refusal] {
        intake.refusals.map { refusal in
            Refusal(
                path: refusal.path,
                reason: refusal.reason,
                remedy: refusal.remedy,
                isWithholding: sources[refusal.sourceIndex].onRefusedFile == .withhold,
                maySkip: refusal.maySkip,
                isTwin: refusal.isTwin
            )
        }
    }

    /// The new files that are generated where the mart holds real exports, or the other way round.
    private static func ofOtherKind(
        _ read: [ExportsReading.ReadFile],
        _ origin: TripOrigin,
        _ sources: [SourceDefinition]
    ) throws -> [Refusal] {
        try read.compactMap { file in
            guard let reason = origin.objection(to: file) else { return nil }
            guard file.entry.isNew else { throw TripOrigin.mixture(file, reason) }
            var refusal = Refusal(file.entry, reason, origin.remedy, sources)
            refusal.objection = .otherKind
            return refusal
        }
    }

    /// Reads known files, and nothing else.
    ///
    /// - Parameters:
    ///   - files: The exports, in order, as they lie in the archive.
    ///   - isGenerated: Whether the generation they belong to is synthetic.
    ///   - setting: The configuration to classify with.
    ///   - options: The threads to use.
    ///   - rejectTexts: Where the raw records of rejects are kept.
    ///   - progress: Where progress is shown.
    /// - Throws: ``RunError`` where one cannot be read, or where its trips are of the other kind.
    init(
        known files: [FileIntake.File],
        isGenerated: Bool,
        _ setting: RunConfiguration,
        _ options: RunOptions,
        rejectTexts: RejectSpool,
        progress: Progress
    ) throws {
        self.rejectTexts = rejectTexts
        var read: [ExportsReading.ReadFile] = []
        let reading = ExportsReading(setting, options, rejectTexts, progress)
        for (file, result) in zip(files, reading.read(files)) {
            switch result {
            case .success(let reading): read.append(reading)
            case .failure(let fault as SourceFault) where !fault.isOfFile: throw fault
            case .failure(let error):
                throw error is RunError || error is MartError ? error : Self.damaged(file, error)
            }
        }
        let origin = TripOrigin(served: isGenerated, files: read)
        for file in read {
            if let reason = origin.objection(to: file) { throw TripOrigin.mixture(file, reason) }
        }
        isSynthetic = isGenerated
        isCurrent = FileRegister(read.map(\.entry), sources: setting.pipeline.sources).isCurrent
        joined = try JoinedExports(read, isCurrent, setting, options, rejectTexts, progress)
        (refusals, changed, replaced, acceptedSmaller) = ([], [], [], [])
        (exclusions, excludedExports, conflict) = ([], [], nil)
    }

    /// Refuses `--accept-smaller` for files that are not.
    private static func requireUsed(_ asked: [String], _ used: [String]) throws(RunError) {
        let used = PathSet(used)
        for path in asked.sorted() where !used.contains(path) {
            throw RunError.notSmaller(path, SmallerFiles.notFarLess)
        }
    }

    /// The exclusions that remain, with those that could not be included again.
    private static func left(
        _ exclusions: SortedExclusions,
        _ read: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition]
    ) -> [Exclusion] {
        exclusions.staying
            + exclusions.included.filter { exclusion in
                !read.contains { file in
                    key(file.entry, sources) == PathKey(exclusion)
                        && exclusion.isContent(
                            archiveHash: file.entry.archiveHash,
                            contentHash: file.summary.digest.contentHash ?? file.entry.contentHash
                        )
                }
            }
    }

    /// Known contents that a new content replaces as a whole.
    private static func replaced(
        _ read: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition]
    ) -> [String] {
        let sequences = read.map { (key($0.entry, sources), $0.entry.sequence) }
        let first = Dictionary(sequences) { min($0, $1) }
        return read.map(\.entry).filter { entry in
            entry.isNew && sources[entry.sourceIndex].replaces != .nothing
                && entry.sequence > first[key(entry, sources)] ?? entry.sequence
        }.map { "the earlier content of \($0.path)" }
    }

    private static func key(_ entry: FileRegister.Entry, _ sources: [SourceDefinition]) -> PathKey {
        PathKey(source: sources[entry.sourceIndex].name, path: entry.path)
    }

    /// The files that could be read.
    var files: [ExportsReading.ReadFile] { joined.files }

    /// Whether a file was taken in for the first time.
    var hasNewExports: Bool { files.contains(where: \.entry.isNew) }

    /// The last day on which a file was taken in; nil where none has a day.
    var lastDay: CivilDate? { files.compactMap(\.entry.takenIn).max() }

    /// The sources of which a new file was taken in that brings something: a file that is smaller
    /// than what it replaces is not the export that is expected.
    func newSources(_ pipeline: PipelineDefinition) -> Set<String> {
        let smaller = PathSet(acceptedSmaller.map(\.path))
        let new = files.map(\.entry).filter { $0.isNew && !smaller.contains($0.path) }
        return Set(new.map { pipeline.sources[$0.sourceIndex].name })
    }

    /// Pairs of files of which a claim of the later one replaced one of the earlier.
    var replacedFiles: Set<SharedIDs.FilePair> { joined.replacedFiles }

    /// Trips that a later version of their claim lacks, and the first line of that version.
    var lostTrips: [(earlier: TripVersion, later: TripVersion)] { joined.lostTrips }

    /// The first line of each replacement and void that found no claim which it is about.
    var unmatchedReplacements: [TripVersion] { joined.unmatched }

    /// Integer results of expressions that left 64 bits.
    var overflows: Int { files.reduce(0) { $0 + $1.content.overflows } }

    /// The batches of the files in force, in order of exports.
    var currentBatches: [PackedBatch] {
        zip(files, isCurrent).filter(\.1).flatMap(\.0.content.batches)
    }

    /// The sums of the trips of files in force, where trips are not kept.
    func currentTotals(rules: [RuleEntry]) -> TripTotals {
        zip(files, isCurrent).filter(\.1).compactMap(\.0.content.totals)
            .reduce(into: TripTotals(rules: rules)) { $0.add($1) }
    }

    /// The reason why a file is refused, in words that hold nothing of its content.
    static func words(
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
            return "Make the layouts distinguishable: `unknown_columns: refuse`, or a column "
                + "that only one of them has."
        }
        if mismatch.isOfOtherLine, !holdsEdits {
            return "Get the export in a declared layout, or add a layout to the pipeline. If the "
                + "file has no header, list its columns in the source, `dialect: {columns: […]}`; "
                + "if other lines stand before the header, say how many: `preamble_lines: 2`."
        }
        if mismatch.isOfCaseAlone, !holdsEdits {
            return "Declare `header_case: ignore` in the source, or get the export with the names "
                + "as they are declared."
        }
        return holdsEdits
            ? "Get the export in a declared layout. An edit of the pipeline is held: if it "
                + "declares the layout of this export, publish it with --apply-changes."
            : "Get the export in a declared layout, or add a layout to the pipeline."
    }

    private static func damaged(_ file: FileIntake.File, _ error: any Error) -> RunError {
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

extension ClassifiedExports.Refusal {
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
