import TripDomain
import TripMart

/// The mart of a run: locked, recovered, with its keys and what it serves.
final class NightMart {
    let folder: MartFolder
    /// The generation readers see; nil where nothing is published yet.
    let served: ServedMart?
    /// The number the next generation gets.
    let nextNumber: Int
    /// Accepted trips of the served generation.
    let previousTrips: Int64
    let archive: Archive
    /// What could not be done after the generation was published.
    private(set) var unfinished: String?
    private let lock: MartLock?
    private let keys: MartKeys?
    private let keyPath: String
    private let isDryRun: Bool
    private let threadCount: Int

    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - command: What the run does, for those who find the mart locked.
    ///   - opensServed: Whether what is served is looked at; it may be what is to be left.
    /// - Throws: `MartError` where the mart is locked, damaged or not ours; ``RunError`` where its key lies in it.
    init(_ options: RunOptions, command: String = "run", opensServed: Bool = true) throws {
        folder = MartFolder(path: options.martPath)
        keyPath = options.keyFilePath
        try Self.requireOutside(options.martPath, keyPath: keyPath)
        isDryRun = options.isDryRun
        threadCount = options.threadCount
        // A dry run writes nothing, not even a lock: it reads what is served, as any reader does.
        if isDryRun {
            lock = nil
        } else {
            try folder.create()
            lock = try MartLock.acquire(folder, command: command, now: options.now)
            try Publication(folder).recover()
            try Archive(folder).removeStaged()
            // What somebody else left there, or builds there, is no reason for a night to fail.
            try? ScratchMart.clear(folder.scratchPath, command: command, now: options.now)
        }
        served = opensServed ? try ServedMart.openIfPublished(folder) : nil
        // What the state is computed from is believed only where every byte is as it was published.
        if let served { try SumFile.verify(served.file.path) }
        keys = try MartKeys.open(keyFile: keyPath, for: folder)
        nextNumber = try folder.nextNumber()
        archive = Archive(folder)
        previousTrips = try served.map { try $0.ledger()[.accepted].items } ?? 0
    }

    /// A key beside the data it opens would protect nothing once the folder is copied.
    static func requireOutside(_ martPath: String, keyPath: String) throws(RunError) {
        let mart = FileText.resolved(martPath) + "/"
        guard !FileText.resolved(keyPath).hasPrefix(mart) else {
            throw RunError(
                .badPipeline,
                summary: "the key file lies inside the mart",
                what: "\(keyPath) lies below \(martPath), so that whoever copies the mart has "
                    + "its key.",
                remedies: ["Name a key file outside the mart: --key-file FILE"]
            )
        }
    }

    /// Lets go of the mart; of the files the run staged, those that were not taken in go.
    func release() {
        guard let lock else { return }
        // What cannot be removed now, the next run removes first.
        try? archive.removeStaged()
        lock.release()
    }

    /// Writes, recounts and publishes a generation.
    ///
    /// Whatever fails before the link moves leaves no half-written file behind, and no key file that was
    /// made for it alone.
    ///
    /// - Parameters:
    ///   - contents: The generation; its files are taken into the archive.
    ///   - progress: Where progress is shown.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - announce: Called with the generation's number before it gets its name.
    /// - Throws: `MartError` of what could not be written, counted or put in place.
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
    /// - Throws: `MartError` of what could not be written, counted or put in place.
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
    /// - Throws: `MartError` of what could not be written, counted or put in place.
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
                detail: Counted.text(done, "trip")
            )
        }
        progress.end(detail: Counted.text(total, "trip"))
        progress.begin("recounting")
        try GenerationChecker.require(built.path)
        progress.end(detail: "ledger, cube and pages agree")
        return built
    }

    /// Removes what a generation that could not be published left.
    private func discard() {
        // What cannot be removed now, the next run removes first. A key just made stays: another
        // mart may have begun to use it, and the next run of this one will.
        try? Publication(folder).removeUnfinished()
    }

    private func publish(_ built: BuiltGeneration, now: Int64) throws {
        do {
            try Publication(folder).publish(built)
            // The new generation is served; old files may go.
            _ = try Retention.apply(to: folder, now: now)
        } catch {
            // Once the link has moved the generation is published, whatever fails after it. What is
            // left undone, the next run does first.
            guard try folder.servedNumber() == built.number else { throw error }
            unfinished = error.remedy
        }
    }
}
