import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// The files a run has to read: the register of all contents, in order of exports.
struct RunFiles {
    let register: FileRegister
    /// Where each entry's bytes are.
    let files: [FileIntake.File]
    let refusals: [FileIntake.Refusal]
    /// Entries of the input folder that are not read.
    let unread: [UnreadEntry]
    let unclaimed: [String]
    /// Files that --skip left out, and whether an earlier content of them still counts.
    let skipped: [(path: String, stillCounts: Bool)]
    /// Whether the served generation is synthetic; nil where nothing is served.
    let servesGenerated: Bool?
    /// The exclusions of rollbacks.
    let exclusions: SortedExclusions
    /// The excluded contents that were delivered again.
    let excludedAgain: [Exclusion]
    private let hasNewFiles: Bool
    /// The file names that sources match.
    private let patterns: [String]
    /// Whether the served generation lacks sums of this version, so that no server of this version
    /// can serve it.
    let servesOlder: Bool
    /// Where the raw records of rejects are kept; nil in a dry run.
    let rejectTexts: RejectSpool?

    init(
        _ options: RunOptions,
        setting: RunConfiguration,
        mart: RunMart,
        progress: Progress
    ) throws {
        rejectTexts = mart.rejectTexts
        let pipeline = setting.pipeline
        let landing = LandingFolder(path: options.inputPath)
        let found = try landing.entries()
        try Self.checkNames("--skip", options.skippedFiles, found)
        try Self.checkNames("--accept-smaller", options.acceptedFiles, found)
        let known = try mart.served?.files() ?? []
        let delivery = try MatchedFiles(
            entries: found,
            sources: pipeline.sources,
            now: options.now,
            skipped: PathSet(options.skippedFiles),
            known: known.map(\.path)
        )
        servesGenerated = mart.served?.header.isSynthetic
        servesOlder = try mart.served.map { try !$0.hasAllSums() } ?? false
        let sorted = try SortedExclusions(mart.served?.exclusions() ?? [], known: known, options)
        exclusions = sorted
        var intake = FileIntake(pipeline: pipeline, archive: mart.archive, landing: landing)
        for entry in delivery.unreadable {
            let objection = entry.objection
            intake.refuse(entry.path, entry.sourceIndex, objection.finding, objection.remedy)
        }
        try intake.findNewFiles(
            delivery,
            known: known,
            exclusions: sorted.staying,
            threadCount: options.threadCount,
            progress: progress
        )
        intake.include(sorted.included)
        // A dry run leaves the bytes where they are.
        if !options.isDryRun {
            try intake.copy(threadCount: options.threadCount, progress: progress)
        }
        let arrivals = intake.arrivals
        try Self.checkAccepted(options, arrivals.map(\.path))
        (register, files) = try Self.gathered(
            known,
            arrivals,
            sorted.staying,
            pipeline,
            mart.archive,
            day: LocalTime.day(options.now, zone: setting.localZone)
        )
        excludedAgain = intake.excludedAgain
        refusals = intake.refusals
        unread = delivery.unread + intake.changed
        unclaimed = delivery.unclaimed
        patterns = pipeline.sources.flatMap(\.globs)
        let knownPaths = PathSet(known.map { LogicalPath.of($0.path) })
        skipped = options.skippedFiles.sorted().map {
            ($0, knownPaths.contains(LogicalPath.of($0)))
        }
        hasNewFiles = !arrivals.isEmpty || !intake.refusals.isEmpty
    }

    /// All known and all new files, in order of exports, and where their bytes are.
    private static func gathered(
        _ known: [SourceFileEntry],
        _ arrivals: [FileIntake.Arrival],
        _ staying: [Exclusion],
        _ pipeline: PipelineDefinition,
        _ archive: Archive,
        day: CivilDate
    ) throws(RunError) -> (register: FileRegister, files: [FileIntake.File]) {
        var locations: [ContentKey: String] = [:]
        var entries = try KnownFiles.entries(known, pipeline: pipeline, archive: archive)
        for entry in entries {
            locations[ContentKey(entry)] = archive.path(hash: entry.archiveHash)
        }
        var last: [PathKey: Int] = [:]
        for file in known {
            last[PathKey(file)] = max(file.sequence, last[PathKey(file)] ?? 0)
        }
        // Sequence numbers show which content came later, so an excluded content keeps its own.
        for exclusion in staying.files {
            last[PathKey(exclusion)] = max(exclusion.sequence, last[PathKey(exclusion)] ?? 0)
        }
        for arrival in arrivals {
            let source = pipeline.sources[arrival.sourceIndex].name
            let key = PathKey(source: source, path: arrival.path)
            let sequence = (last[key] ?? 0) + 1
            last[key] = sequence
            let entry = entry(arrival, sequence: sequence, day: day)
            locations[ContentKey(entry)] = arrival.location
            entries.append(entry)
        }
        let register = FileRegister(entries, sources: pipeline.sources)
        let files = register.entries.map { entry in
            guard let location = locations[ContentKey(entry)] else {
                preconditionFailure("every entry has a location")
            }
            return FileIntake.File(entry: entry, location: location)
        }
        return (register, files)
    }

    /// The pattern with `**/` before it that claims the most unclaimed files, and how many; nil
    /// where it claims no more than are known: a few copies in a folder mostly lie there by design.
    ///
    /// A pattern without a folder fits the input folder alone, and exports often lie in one for
    /// each sender.
    var widerPattern: (pattern: String, count: Int)? {
        Self.wider(patterns, unclaimed).flatMap { $0.count > register.entries.count ? $0 : nil }
    }

    /// The pattern with `**/` before it that claims the most of some files; nil where none does.
    fileprivate static func wider(
        _ patterns: [String],
        _ unclaimed: [String]
    ) -> (pattern: String, count: Int)? {
        var best: (pattern: String, count: Int)?
        for pattern in patterns where !pattern.utf8.contains(UInt8(ascii: "/")) {
            let wide = "**/" + pattern
            let count = unclaimed.count { FilePatterns.fits(Glob(text: wide), Array($0.utf8)) }
            if count > (best?.count ?? 0) { best = (wide, count) }
        }
        return best
    }

    /// Whether the run has anything to do.
    func isDue(_ options: RunOptions, _ setting: RunConfiguration) -> Bool {
        guard hasNewFiles || !register.entries.isEmpty else { return false }
        return hasNewFiles || options.isFull || setting.changesDecisions || servesOlder
    }

    /// The excluded exports to report where nothing is published.
    ///
    /// - Parameter served: The generation that is served.
    /// - Returns: The exports that no later content replaced, and those that were delivered again.
    /// - Throws: `MartError` of the file.
    func missed(_ served: (any SummaryReading)?) throws(MartError) -> [Exclusion] {
        (exclusions.staying + exclusions.included).named(
            counting: try served?.files().map { (PathKey($0), $0.sequence) } ?? [],
            again: excludedAgain
        )
    }

    /// Refuses a run without exports where nothing was published before.
    func requirePublished(_ options: RunOptions, served: (any SummaryReading)?) throws(RunError) {
        if served == nil {
            throw RunError.nothingToRead(
                options,
                unread,
                unclaimed: unclaimed,
                patterns: patterns
            )
        }
    }

    private static func entry(
        _ arrival: FileIntake.Arrival,
        sequence: Int,
        day: CivilDate
    ) -> FileRegister.Entry {
        FileRegister.Entry(
            sourceIndex: arrival.sourceIndex,
            path: arrival.path,
            sequence: sequence,
            contentHash: arrival.contentHash,
            archiveHash: arrival.archiveHash,
            orderKey: arrival.orderKey,
            period: arrival.period,
            isNew: true,
            takenIn: day
        )
    }

    /// Refuses `--accept-smaller` for files that are not new.
    private static func checkAccepted(_ options: RunOptions, _ new: [String]) throws(RunError) {
        let (new, skipped) = (PathSet(new), PathSet(options.skippedFiles))
        for path in options.acceptedFiles.sorted() where !new.contains(path) {
            let why =
                skipped.contains(path)
                ? "--skip names it as well" : "its content was taken in before, or cannot be"
            throw RunError.notSmaller(path, why)
        }
    }

    /// Refuses names of files that the input folder does not have.
    static func checkNames(
        _ flag: String,
        _ named: [String],
        _ found: [LandingEntry]
    ) throws(RunError) {
        let foundPaths = PathSet(found.map(\.path))
        for path in named.sorted() where !foundPaths.contains(path) {
            throw RunError(
                .usage,
                summary: flag == "--skip"
                    ? "a file to skip is not there"
                    : flag == "--file"
                        ? "no such file" : "a file to accept is not there",
                what: "\(flag) \(path): the input folder has no such file.",
                remedies: [
                    Suggestion.text(for: path, among: found.map(\.path)),
                    "Name it by its path below the input folder.",
                ].filter { !$0.isEmpty }
            )
        }
    }
}

/// One content of one path.
private struct ContentKey: Hashable {
    /// The path, compared by its bytes.
    private let path: PathKey
    private let sequence: Int

    init(_ entry: FileRegister.Entry) {
        path = PathKey(source: "\(entry.sourceIndex)", path: entry.path)
        sequence = entry.sequence
    }
}

extension RunError {
    /// The refusal of a first run that has no export.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
    ///   - unread: Entries that are not read, and why.
    ///   - unreadable: Entries that a source claims and that cannot be read.
    ///   - unclaimed: Files that no source matches.
    ///   - patterns: The file names that sources match.
    /// - Returns: The error.
    static func nothingToRead(
        _ options: RunOptions,
        _ unread: [UnreadEntry],
        _ unreadable: [MatchedFiles.Unreadable] = [],
        unclaimed: [String],
        patterns: [String]
    ) -> RunError {
        var reasons =
            unreadable.map { "\($0.path) \($0.objection.finding)" }
            + unread.prefix(10).map(\.text)
        if unread.count > 10 { reasons.append("\(unread.count - 10) more are not read") }
        if !options.skippedFiles.isEmpty {
            reasons.append("\(Counted.text(options.skippedFiles.count, "file")) skipped by --skip")
        }
        let sources = "The sources read \(patterns.joined(separator: ", "))."
        let names = unclaimed.prefix(Self.shownNames).joined(separator: ", ")
        let rest = unclaimed.count - min(unclaimed.count, Self.shownNames)
        let what =
            !reasons.isEmpty
            ? "has no export that is ready. " + reasons.joined(separator: "; ") + "."
                + (unclaimed.isEmpty
                    ? ""
                    : " No source matches \(names)" + (rest > 0 ? " and \(rest) more" : "") + ". "
                        + sources)
            : unclaimed.isEmpty
                ? "has no file that a source of the pipeline matches. " + sources
                : "has \(Counted.text(unclaimed.count, "file")), and no source matches "
                    + (unclaimed.count == 1 ? "it: " : "any of them: ") + names
                    + (rest > 0 ? " and \(rest) more" : "") + ". " + sources
        return RunError(
            .noUsableInput,
            summary: "no export to read",
            what: "\(options.inputPath) \(what)",
            remedies: unreadable.map { "\($0.path): \($0.objection.remedy)" }
                + (unclaimed.isEmpty || !reasons.isEmpty
                    ? [
                        "Put exports into the folder, or name another with --input DIR.",
                        "To try Triptych without exports: triptych generate --out DIR "
                            + "--trips 10000",
                    ]
                    : [
                        RunFiles.wider(patterns, unclaimed).map {
                            "Write `files: \"\($0.pattern)\"`, which claims "
                                + "\($0.count == unclaimed.count ? "them" : "\($0.count) of them")."
                        } ?? "Rename the files, or write their names into the `files` of a source.",
                        "If these are no exports: put exports into the folder, or name another "
                            + "with --input DIR.",
                    ])
        )
    }

    /// The number of files that are named; further ones are only counted.
    private static let shownNames = 5
}

/// The files of the served generation, as entries of the next register.
enum KnownFiles {
    /// Makes entries of all files ever taken in.
    ///
    /// - Parameters:
    ///   - files: The files as the served generation lists them.
    ///   - pipeline: The pipeline in force.
    ///   - archive: Where their bytes are kept.
    /// - Returns: One entry per file, in the order given.
    /// - Throws: ``RunError`` where a file's bytes are missing, or its source or order no longer
    ///   exists.
    static func entries(
        _ files: [SourceFileEntry],
        pipeline: PipelineDefinition,
        archive: Archive
    ) throws(RunError) -> [FileRegister.Entry] {
        var missing: [String] = []
        var entries: [FileRegister.Entry] = []
        for file in files {
            if !archive.contains(hash: file.archiveHash) { missing.append(file.path) }
            guard let index = pipeline.sources.firstIndex(where: { $0.name == file.source }),
                let orderKey = FileRegister.orderKey(
                    path: file.path,
                    source: pipeline.sources[index]
                ),
                let period = FileRegister.period(path: file.path, source: pipeline.sources[index])
            else {
                throw RunError(
                    .badPipeline,
                    summary: "a known file fits no source of the pipeline",
                    what: "\(file.path) was taken in by the source `\(file.source)`, which the "
                        + "pipeline no longer has or now orders by another pattern.",
                    remedies: ["Keep the source and its patterns as long as its files count."]
                )
            }
            entries.append(
                FileRegister.Entry(
                    sourceIndex: index,
                    path: file.path,
                    sequence: file.sequence,
                    contentHash: file.contentHash,
                    archiveHash: file.archiveHash,
                    orderKey: orderKey,
                    period: period,
                    isNew: false,
                    takenIn: file.takenIn
                )
            )
        }
        guard missing.isEmpty else { throw RunError.knownFilesMissing(missing) }
        return entries
    }
}

extension RunError {
    /// The refusal to go on without files that were taken in before.
    static func knownFilesMissing(_ paths: [String]) -> RunError {
        let rest = paths.count - min(paths.count, 10)
        return RunError(
            .knownFileMissing,
            summary: paths.count == 1
                ? "a known file is missing"
                : Counted.text(paths.count, "known file") + " are missing",
            what: "The mart's archive no longer has: "
                + paths.prefix(10).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
                + ".",
            remedies: [
                "Restore the mart's archive folder from its backup.", "Run the command again.",
            ]
        )
    }
}
