import TripDomain
import TripMart
import TripPipeline

/// The mart of a run: locked, recovered, with its keys and the served generation.
final class RunMart {
    let folder: MartFolder
    /// The generation that is served; nil where nothing is published yet.
    let served: ServedMart?
    /// The number the next generation gets.
    let nextNumber: Int
    /// Accepted trips of the served generation.
    let previousTrips: Int64
    let archive: Archive
    /// The step that failed after the generation was published; nil where none did.
    private(set) var unfinished: String?
    private let lock: MartLock?
    private let keys: MartKeys?
    private let keyPath: String
    private let isDryRun: Bool
    private let threadCount: Int

    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - command: The run's command; other processes see it while the mart is locked.
    ///   - opensServed: Whether the served generation is opened; a rollback may have to leave a
    ///     damaged one.
    /// - Throws: `MartError` where the mart is locked, damaged or of another program; ``RunError``
    ///   where its key lies inside it.
    init(_ options: RunOptions, command: String = "run", opensServed: Bool = true) throws {
        folder = MartFolder(path: options.martPath)
        keyPath = options.keyFilePath
        try Self.requireOutside(options.martPath, keyPath: keyPath)
        isDryRun = options.isDryRun
        threadCount = options.threadCount
        // A dry run writes nothing, not even a lock: it reads the served generation like any
        // reader.
        if isDryRun {
            lock = nil
        } else {
            try folder.create()
            lock = try MartLock.acquire(folder, command: command, now: options.now)
            try Publication(folder).recover()
            try Archive(folder).removeStaged()
            // A scratch folder of another process is no reason for a run to fail.
            try? ScratchMart.clear(folder.scratchPath, command: command, now: options.now)
        }
        served = opensServed ? try ServedMart.openIfPublished(folder) : nil
        // The new state is computed from these bytes, so every one must be as it was published.
        if let served { try SumFile.verify(served.file.path) }
        keys = try MartKeys.open(keyFile: keyPath, for: folder)
        nextNumber = try folder.nextNumber()
        archive = Archive(folder)
        previousTrips = try served.map { try $0.ledger()[.accepted].items } ?? 0
    }

    /// Refuses a key inside the mart: it would protect nothing once the folder is copied.
    static func requireOutside(_ martPath: String, keyPath: String) throws(RunError) {
        let mart = FileText.resolved(martPath) + "/"
        guard !FileText.resolved(keyPath).hasPrefix(mart) else {
            throw RunError(
                .badPipeline,
                summary: "the key file lies inside the mart",
                what: "\(keyPath) lies below \(martPath), so that every copy of the mart would "
                    + "include its key.",
                remedies: ["Name a key file outside the mart: --key-file FILE"]
            )
        }
    }

    /// Unlocks the mart and removes staged files that were not taken in.
    func release() {
        guard let lock else { return }
        // The next run first removes the files that cannot be removed now.
        try? archive.removeStaged()
        lock.release()
    }

    /// Writes, recounts and publishes a generation.
    ///
    /// If anything fails before the link moves, no half-written file remains, and no key file that
    /// was made for it alone.
    ///
    /// - Parameters:
    ///   - contents: The generation; its files are taken into the archive.
    ///   - progress: Where progress is shown.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - announce: Called with the generation's number before it gets its name.
    /// - Throws: `MartError` where it cannot be written, recounted or published.
    func publish(
        _ contents: GenerationContents,
        progress: Progress,
        now: Int64,
        announce: (Int) -> Void = { _ in }
    ) throws {
        try publish(
            trips: contents.acceptedOrder.count,
            files: Set(contents.summary.files.map(\.archiveHash)),
            progress: progress,
            now: now,
            announce: announce
        ) { writer, progress throws(MartError) in
            try writer.write(contents, progress: progress)
        }
    }

    /// Writes, recounts and publishes a generation with the trips of another one.
    ///
    /// - Parameters:
    ///   - revision: The generation.
    ///   - progress: Where progress is shown.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - announce: Called with the generation's number before it gets its name.
    /// - Throws: `MartError` where it cannot be written, recounted or published.
    func publish(
        _ revision: GenerationRevision,
        progress: Progress,
        now: Int64,
        announce: (Int) -> Void = { _ in }
    ) throws {
        try publish(
            trips: revision.tripCount,
            files: [],
            progress: progress,
            now: now,
            announce: announce
        ) { writer, progress throws(MartError) in
            try writer.write(revision, progress: progress)
        }
    }

    /// Copies, recounts and publishes an older generation.
    ///
    /// - Parameters:
    ///   - copy: The generation.
    ///   - progress: Where progress is shown.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - announce: Called with the generation's number before it gets its name.
    /// - Throws: `MartError` where it cannot be written, recounted or published.
    func publish(
        _ copy: GenerationCopy,
        progress: Progress,
        now: Int64,
        announce: (Int) -> Void = { _ in }
    ) throws {
        try publish(
            trips: copy.tripCount,
            files: [],
            progress: progress,
            now: now,
            announce: announce
        ) { writer, _ throws(MartError) in
            try writer.write(copy)
        }
    }

    private func publish(
        trips: Int,
        files: Set<String>,
        progress: Progress,
        now: Int64,
        announce: (Int) -> Void,
        write: (GenerationWriter, (Int) -> Void) throws(MartError) -> BuiltGeneration
    ) throws {
        do {
            let built = try self.write(trips: trips, progress: progress, write)
            try archive.takeIn(files)
            announce(built.number)
            try publish(built, now: now)
        } catch {
            discard()
            throw error
        }
    }

    private func write(
        trips: Int,
        progress: Progress,
        _ write: (GenerationWriter, (Int) -> Void) throws(MartError) -> BuiltGeneration
    ) throws -> BuiltGeneration {
        let keys = try self.keys ?? MartKeys.create(keyFile: keyPath)
        let writer = GenerationWriter(
            folder: folder,
            keys: keys,
            programVersion: ProgramVersion.text,
            threadCount: threadCount
        )
        progress.begin("writing")
        let total = Int64(trips)
        let built = try write(writer) { done in
            progress.update(
                done: Int64(done),
                total: total,
                WorkProgress.Amount(Int64(done), "trip")
            )
        }
        progress.end(WorkProgress.Amount(total, "trip"))
        progress.begin("recounting")
        try GenerationChecker.require(built.path)
        progress.end(finding: "ledger, cube and pages agree")
        return built
    }

    /// Removes the files of a generation that could not be published.
    private func discard() {
        // The next run first removes the files that cannot be removed now. A key just made stays:
        // another mart may have begun to use it, and the next run of this one will.
        try? Publication(folder).removeUnfinished()
    }

    private func publish(_ built: BuiltGeneration, now: Int64) throws {
        do {
            try Publication(folder).publish(built)
            // The new generation is served; old files may be removed.
            _ = try Retention.apply(to: folder, now: now)
        } catch {
            // Once the link has moved the generation is published, whatever fails after it. The
            // next run first completes the step that failed.
            guard try folder.servedNumber() == built.number else { throw error }
            unfinished = error.remedy
        }
    }
}
