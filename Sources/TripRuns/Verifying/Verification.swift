import TripDomain
import TripEngine
public import TripMart

/// `verify`: a generation is built once more from its exports and inputs, and compared row by row with what
/// was published.
///
/// Of a generation whose trips are no longer kept, what is kept for good is compared. Nothing in the mart
/// changes, and a night may publish meanwhile.
public struct Verification {
    private let options: RunOptions
    private let generation: Int?
    private let scratchPath: String
    private let progress: Progress
    private let folder: MartFolder
    private let startedAt = Progress.milliseconds()

    /// Prepares to verify.
    ///
    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - generation: The generation; nil stands for the served one.
    ///   - scratch: Where it is built; nil stands for a folder in the mart.
    ///   - progress: Where progress is shown.
    public init(
        options: RunOptions,
        generation: Int?,
        scratch: String?,
        progress: Progress
    ) {
        self.options = options
        self.generation = generation
        folder = MartFolder(path: options.martPath)
        scratchPath = scratch.map { $0 + "/triptych-verify" } ?? folder.scratchPath
        self.progress = progress
    }

    /// Verifies, and says what a command prints and how it ends.
    public func ending() -> NightSession.Ending {
        do {
            return VerificationScreen(try perform(), options).ending
        } catch {
            let failure = Failure(error)
            let screen = FailureScreen(failure)
            return NightSession.Ending(
                summary: screen.summary,
                details: screen.details,
                status: failure.status
            )
        }
    }

    /// Builds and compares.
    ///
    /// - Returns: What was found.
    /// - Throws: ``RunError`` where there is no such generation, or what it was made from is missing; `MartError`
    ///   of key and files.
    public func perform() throws -> VerificationReport {
        // 1. Find the generation and the key.
        let number = try number()
        let hasTrips = FileText.exists(folder.generationPath(number))
        guard let keys = try MartKeys.open(keyFile: options.keyFilePath, for: folder) else {
            preconditionFailure("a mart with generations is not opened without its key")
        }
        var report = VerificationReport(number)
        report.keepsTrips = hasTrips
        report.isServed = try folder.servedNumber() == number

        try requireAllSums(number)

        // 2. Look at the bytes and pages of what was published.
        progress.begin("checking")
        report.damage = try damage(number, hasTrips: hasTrips, isServed: report.isServed)
        let isWhole = hasTrips && report.damage.isEmpty
        report.damage += try damageBeside(number, hasTrips: hasTrips)
        progress.end(
            detail: report.damage.isEmpty ? "sums, pages and indexes agree" : "damaged"
        )
        do {
            // 3. Build it once more.
            let base = try base(number, isWhole: isWhole)
            report.isSynthetic = base.header.isSynthetic
            report.fileCount = try base.files().count
            report.inputCount = try base.inputs().count
            let scratch = try ScratchMart(path: scratchPath, command: "verify", now: options.now)
            defer { scratch.remove() }
            let built = try Rebuild(
                of: base,
                number: number,
                archive: Archive(folder),
                options,
                progress: progress
            ).write(to: scratch.folder, keys: keys)
            report.trips = Int64(built.trips)

            // 4. Compare each file of it.
            report.files = try compared(built, hasTrips: hasTrips, keys: keys)
        } catch {
            // What was found comes before what kept from finding more.
            guard !report.damage.isEmpty else { throw error }
            let failure = Failure(error)
            throw Failure(
                status: failure.status,
                summary: failure.summary,
                what: report.damage + failure.what,
                remedies: failure.remedies
            )
        }
        try requireStillThere(report)
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    /// Of an older version's generation not every number can be compared.
    private func requireAllSums(_ number: Int) throws(RunError) {
        // One that cannot be read is looked at below, which says what is wrong with it.
        guard let kept = try? Rollback.kept(number, folder), (try? kept.hasAllSums()) == false
        else {
            return
        }
        throw RunError(
            .badPipeline,
            summary: "generation \(number) is of an older version",
            what: "An older version published it, without all of today's sums to compare.",
            remedies: [
                "Verify it with the version that published it.",
                "Or publish the next one, and verify that: triptych run --full",
            ]
        )
    }

    /// What is published never changes, and a night may remove what is old.
    private func requireStillThere(_ report: VerificationReport) throws(RunError) {
        guard report.keepsTrips, !FileText.exists(folder.generationPath(report.number)) else {
            return
        }
        throw RunError(
            .notFound,
            summary: "generation \(report.number) was removed meanwhile",
            what: "A run removed its trips while they were compared.",
            remedies: ["Verify what is kept of it: triptych verify \(report.number)"]
        )
    }

    private func number() throws -> Int {
        let served = try Rollback.require(folder)
        guard let generation else { return served }
        let kept = try Set(folder.historyNumbers() + folder.generationNumbers()).sorted()
        guard kept.contains(generation) else {
            throw RunError(
                .notFound,
                summary: "there is no generation \(generation)",
                what: "\(folder.path) keeps generation \(Shown.ranges(kept)).",
                remedies: ["See what was published: triptych runs list"]
            )
        }
        return generation
    }

    /// What it was made from: as its own file says where not one byte of that changed, else as history keeps it.
    private func base(_ number: Int, isWhole: Bool) throws(MartError) -> any SummaryReading {
        if isWhole, let base = try? ServedMart.open(folder, generation: number),
            // Sums can be altered with the file; what it was made from has sums of its own.
            (try? PublishedInputs(base)) != nil
        {
            return base
        }
        return try PublishedCube.open(folder, generation: number)
    }

    /// What is wrong with the generation's own file: its bytes beside its sums, its pages, its indexes.
    private func damage(
        _ number: Int,
        hasTrips: Bool,
        isServed: Bool
    ) throws(MartError) -> [String] {
        let path = folder.generationPath(number)
        guard hasTrips else {
            guard isServed || FileText.exists(SumFile.path(for: path)) else { return [] }
            return ["\(path): the file is gone, and no run removed it."]
        }
        return try Self.damage { () throws(MartError) in
            try SumFile.verify(path)
            return []
        }
            + Self.damage { () throws(MartError) in
                try GenerationChecker.check(path, includingIntegrity: true).map(\.description)
            }
    }

    /// What is wrong with the pages of the files beside it.
    private func damageBeside(_ number: Int, hasTrips: Bool) throws(MartError) -> [String] {
        var found: [String] = []
        for file in [folder.historyPath(number)] + (hasTrips ? [folder.kpiPath(number)] : []) {
            found += try Self.damage { () throws(MartError) in
                try GenerationChecker.isSound(file)
                    ? [] : ["\(file): SQLite finds a fault in its pages."]
            }
        }
        return found
    }

    private static func damage(
        _ check: () throws(MartError) -> [String]
    ) throws(MartError) -> [String] {
        do throws(MartError) {
            return try check()
        } catch {
            return [try clause(error)]
        }
    }

    /// Damage is what is looked for; what keeps from looking is an error.
    private static func clause(_ error: MartError) throws(MartError) -> String {
        let ofFiles: Set<MartError.Code> = [
            .damaged, .foreignFile, .ioFailed, .newerFile, .notFound, .olderFile,
        ]
        guard ofFiles.contains(error.code) else {
            throw error
        }
        return Failure(error).what.joined(separator: " ") + " " + error.remedy
    }

    private func compared(
        _ built: BuiltGeneration,
        hasTrips: Bool,
        keys: MartKeys
    ) throws(MartError) -> [FileComparison] {
        var pairs = [(folder.historyPath(built.number), built.historyPath)]
        if hasTrips {
            pairs.insert((folder.generationPath(built.number), built.path), at: 0)
            pairs.append((folder.kpiPath(built.number), built.kpiPath))
        }
        progress.begin("comparing")
        var files: [FileComparison] = []
        for (published, rebuilt) in pairs {
            let comparing = FileComparing(
                published,
                rebuilt,
                keys: keys,
                threadCount: options.threadCount
            )
            let tables = try comparing.tables { done, all in
                progress.update(
                    done: Int64(done),
                    total: Int64(all),
                    detail: Counted.text(all, "table")
                )
            }
            files.append(
                FileComparison(
                    file: String(published.dropFirst(folder.path.count + 1)),
                    tables: tables
                )
            )
        }
        let count = files.reduce(0) { $0 + $1.tables.count }
        progress.end(detail: Counted.text(count, "table"))
        return files
    }
}

/// What came of verifying a generation.
public struct VerificationReport: Sendable {
    /// The generation's number.
    public let number: Int
    /// Whether its trips are generated ones.
    public internal(set) var isSynthetic = false
    /// Exports it was built from.
    public internal(set) var fileCount = 0
    /// Pipeline and reference files it was built with.
    public internal(set) var inputCount = 0
    /// Trips that were built.
    public internal(set) var trips: Int64 = 0
    /// Whether its trips were there to be compared.
    public internal(set) var keepsTrips = true
    /// Whether it is the generation that readers see.
    public internal(set) var isServed = true
    /// What is wrong with the published file itself.
    public internal(set) var damage: [String] = []
    /// What was compared.
    public internal(set) var files: [FileComparison] = []
    /// Wall time.
    public internal(set) var milliseconds: Int64 = 0

    /// A report to be filled in.
    init(_ number: Int) {
        self.number = number
    }

    /// Tables that were compared.
    public var tableCount: Int { files.reduce(0) { $0 + $1.tables.count } }
    /// Those that are not as they should be.
    public var unequalCount: Int { files.reduce(0) { $0 + $1.tables.count { !$0.isEqual } } }

    /// The status the command ends with.
    public var status: ExitStatus {
        unequalCount == 0 && damage.isEmpty ? .published : .verifyMismatch
    }
}
