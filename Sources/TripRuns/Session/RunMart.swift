import TripDomain
import TripMart
import TripPipeline

/// The mart of a run: locked, recovered, with its keys and the served generation.
final class RunMart {
    let folder: MartFolder
    /// The generation that is served, or what is kept of it where its own file is damaged; nil
    /// where nothing is published yet.
    let served: (any SummaryReading)?
    /// The generation with its trips; nil where its file is damaged, or nothing is published yet.
    let trips: ServedMart?
    /// The damage of the served generation that this run builds again; nil where there is none.
    let damage: MartError?
    /// What is missing of the history.
    let historyLoss: HistoryLoss
    /// The number the next generation gets.
    let nextNumber: Int
    /// Accepted trips of the served generation.
    let previousTrips: Int64
    let archive: Archive
    /// Where the raw records of rejects are kept until they are sealed; nil in a dry run, which
    /// seals none.
    let rejectTexts: RejectSpool?
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
            try folder.requireComplete()
        } else {
            try folder.create()
            lock = try MartLock.acquire(folder, command: command, now: options.now)
            try Publication(folder).recover()
            try Archive(folder).removeStaged()
            // A scratch folder of another process is no reason for a run to fail.
            try? ScratchMart.clear(folder.scratchPath, command: command, now: options.now)
        }
        let opened = opensServed ? try Self.served(folder, options) : Opened()
        (served, trips, damage) = (opened.summary, opened.trips, opened.damage)
        keys = try MartKeys.open(keyFile: keyPath, for: folder)
        historyLoss = try folder.historyLoss()
        nextNumber = try folder.nextNumber()
        archive = Archive(folder)
        rejectTexts = isDryRun ? nil : RejectSpool(folder)
        previousTrips = try served.map { try $0.ledger()[.accepted].items } ?? 0
    }

    /// The keys of the mart, which a plan was made with.
    ///
    /// - Parameter checkValue: The value that identifies the key file of the plan.
    /// - Returns: The keys.
    /// - Throws: `MartError` with code `keyMissing` or `keyWrong`.
    func requireKeys(_ checkValue: String) throws(MartError) -> MartKeys {
        guard let keys else { return try MartKeys.open(keyFile: keyPath, checkValue: checkValue) }
        guard keys.checkValue == checkValue else {
            throw MartError(
                .keyWrong,
                file: keyPath,
                remedy: "The plan was made with another key file. Name that one with --key-file."
            )
        }
        return keys
    }

    /// What tells the served generation from all others: SHA-256 over the bytes of its file, or
    /// where that is damaged, of its history file.
    ///
    /// - Returns: Lower-case hexadecimal digits, as its sum file has them; no page is read.
    /// - Throws: `MartError` of the sum file.
    /// - Precondition: A generation is served.
    func requireServedHash() throws(MartError) -> String {
        guard let number = served?.header.number else {
            preconditionFailure("a generation is served")
        }
        return try SumFile.written(
            for: damage == nil ? folder.generationPath(number) : folder.historyPath(number)
        )
    }

    /// The served generation, or what is kept of it.
    private struct Opened {
        var summary: (any SummaryReading)?
        var trips: ServedMart?
        var damage: MartError?
    }

    /// Opens the served generation.
    ///
    /// The new state is computed from it, so every byte must be as it was published. Where one is
    /// not, a full run takes the list of exports and all inputs from the history file.
    private static func served(_ folder: MartFolder, _ options: RunOptions) throws -> Opened {
        guard let number = try folder.servedNumber() else { return Opened() }
        let path = folder.generationPath(number)
        do throws(MartError) {
            let mart = try ServedMart.open(folder, generation: number)
            try mart.file.requireWhole()
            return Opened(summary: mart, trips: mart)
        } catch {
            guard error.isDamage(of: path) else { throw error }
            // Where history is damaged as well, there is one way out less.
            let kept = try? PublishedCube.whole(folder, generation: number)
            guard options.isFull, let kept else {
                throw try RunError.damaged(error, number, folder, options)
            }
            return Opened(summary: kept, damage: error)
        }
    }

    /// Refuses a key inside the mart: it would protect nothing once the folder is copied.
    static func requireOutside(_ martPath: String, keyPath: String) throws(RunError) {
        guard !FileText.isBelow(FileText.resolved(keyPath), FileText.resolved(martPath)) else {
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
            // The exports of a run on a cluster stay where they are.
            files: contents.summary.tripLocation == nil
                ? Set(contents.summary.files.map(\.archiveHash)) : [],
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
            // From here on the number is in use; a run that dies leaves its mark.
            try Publication(folder).mark(built)
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
        try? Publication(folder).recover()
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

extension RunError {
    /// The refusal of a run whose served generation is damaged.
    ///
    /// - Parameters:
    ///   - damage: What is wrong with its file.
    ///   - number: The generation.
    ///   - folder: The mart.
    ///   - options: The options of the run.
    /// - Returns: The error, with the commands that lead out.
    /// - Throws: `MartError` of the folder.
    fileprivate static func damaged(
        _ damage: MartError,
        _ number: Int,
        _ folder: MartFolder,
        _ options: RunOptions
    ) throws(MartError) -> RunError {
        let ways = try folder.waysOut(of: number)
        var remedies: [String] = []
        if ways.isRebuildable {
            remedies.append(
                "Build it again from the archive: triptych run \(options.runWords) --full"
            )
        }
        if let older = ways.older {
            remedies.append(
                "\(remedies.isEmpty ? "Go" : "Or go") back to generation \(older), whose check "
                    + "sums agree: triptych rollback \(older)\(options.martFlags)"
            )
        }
        let files =
            ways.isHistoryWhole
            ? "the file" : "it and its history file, which is missing or damaged as well,"
        remedies.append(
            "\(remedies.isEmpty ? "Restore" : "Or restore") \(files) from a backup of the mart."
        )
        return RunError(
            .ioFailed,
            summary: "generation \(number) is damaged",
            what: "\(damage.position?.file ?? folder.generationPath(number)) is missing or not as "
                + "it was published, so nothing is computed from it.",
            remedies: remedies,
            cause: damage
        )
    }
}
