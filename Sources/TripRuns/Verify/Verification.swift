import TripDomain
import TripEngine
public import TripMart
import TripPipeline

/// `verify`: rebuilds a generation from its exports and inputs, and compares it row by row with
/// what was published.
///
/// Of a generation whose trips are no longer kept, the files that are kept for good are compared.
/// Nothing in the mart changes, and a run may publish meanwhile.
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
    ///   - scratch: The folder in which it is rebuilt; nil stands for a folder in the mart.
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

    /// Rebuilds and compares.
    ///
    /// - Returns: What was found.
    /// - Throws: ``RunError`` where there is no such generation, or where an input of it is
    ///   missing; `MartError` of key and files.
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

        // 2. Check the bytes and pages of the published files.
        progress.begin("checking")
        report.damage = try damage(number, hasTrips: hasTrips, isServed: report.isServed)
        let isWhole = hasTrips && report.damage.isEmpty
        report.damage += try damageBeside(number, hasTrips: hasTrips)
        progress.end(
            finding: report.damage.isEmpty ? "sums, pages and indexes agree" : "damaged"
        )
        do {
            // 3. Rebuild it.
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

            // 4. Compare each of its files.
            report.files = try compared(built, hasTrips: hasTrips, keys: keys)
        } catch {
            // The damage found so far comes before the error that ended the search.
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

    /// Refuses a generation of an older version, which lacks some of the numbers to compare.
    private func requireAllSums(_ number: Int) throws(RunError) {
        // A generation that cannot be read passes here; the next step reports its damage.
        guard let kept = try? Rollback.kept(number, folder), (try? kept.hasAllSums()) == false
        else {
            return
        }
        throw RunError(
            .badPipeline,
            summary: "generation \(number) comes from an older version",
            what: "An older version published it, without all of today's sums to compare.",
            remedies: [
                "Verify it with the version that published it.",
                "Or publish the next one, and verify that: triptych run "
                    + "\(options.runWords) --full",
            ]
        )
    }

    /// Refuses a generation whose file a run removed during the comparison.
    ///
    /// A published file never changes, but a run may remove an old one.
    private func requireStillThere(_ report: VerificationReport) throws(RunError) {
        guard report.keepsTrips, !FileText.exists(folder.generationPath(report.number)) else {
            return
        }
        throw RunError(
            .notFound,
            summary: "generation \(report.number) was removed meanwhile",
            what: "A run removed its trips while they were compared.",
            remedies: [
                "Verify what is kept of it: triptych verify \(report.number)"
                    + options.martFlags
            ]
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
                what: "\(folder.path) keeps generation \(Counted.ranges(kept)).",
                remedies: ["See what was published: triptych runs list\(options.martFlags)"]
            )
        }
        return generation
    }

    /// The record of its exports and inputs.
    ///
    /// It comes from the generation's own file where no byte of that changed, else from history.
    private func base(_ number: Int, isWhole: Bool) throws(MartError) -> any SummaryReading {
        if isWhole, let base = try? ServedMart.open(folder, generation: number),
            // Block sums can be altered together with the file; the inputs have hashes of their
            // own.
            (try? PublishedInputs(base)) != nil
        {
            return base
        }
        return try PublishedCube.open(folder, generation: number)
    }

    /// The damage of the generation's own file: its bytes against its sums, its pages, its indexes.
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

    /// The damage of the pages of the other files of the generation.
    private func damageBeside(_ number: Int, hasTrips: Bool) throws(MartError) -> [String] {
        var found: [String] = []
        for file in [folder.historyPath(number)] + (hasTrips ? [folder.kpiPath(number)] : []) {
            found += try Self.damage { () throws(MartError) in
                try GenerationChecker.isSound(file)
                    ? [] : ["\(file): SQLite finds a fault in its pages."]
            }
            // An older version wrote no sums beside these files.
            guard FileText.exists(SumFile.path(for: file)) else { continue }
            found += try Self.damage { () throws(MartError) in
                try SumFile.verify(file)
                return []
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

    /// Describes an error that shows damage; throws any error that only prevented the check.
    private static func clause(_ error: MartError) throws(MartError) -> String {
        let ofFiles: Set<MartError.Code> = [
            .damaged, .foreignFile, .ioFailed, .newerFile, .notAFolder, .notFound, .olderFile,
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
                    WorkProgress.Amount(Int64(all), "table")
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
        progress.end(WorkProgress.Amount(Int64(count), "table"))
        return files
    }
}

/// The result of verifying a generation.
public struct VerificationReport: Sendable {
    /// The generation's number.
    public let number: Int
    /// Whether its trips are synthetic.
    public internal(set) var isSynthetic = false
    /// Exports it was built from.
    public internal(set) var fileCount = 0
    /// Pipeline and reference files it was built with.
    public internal(set) var inputCount = 0
    /// Trips that were rebuilt.
    public internal(set) var trips: Int64 = 0
    /// Whether its trips were available for comparison.
    public internal(set) var keepsTrips = true
    /// Whether it is the served generation.
    public internal(set) var isServed = true
    /// The damage found in the published files.
    public internal(set) var damage: [String] = []
    /// The comparison of each file.
    public internal(set) var files: [FileComparison] = []
    /// Wall time.
    public internal(set) var milliseconds: Int64 = 0

    /// A report to be filled in.
    init(_ number: Int) {
        self.number = number
    }

    /// The number of tables compared.
    public var tableCount: Int { files.reduce(0) { $0 + $1.tables.count } }
    /// The number of tables that differ.
    public var unequalCount: Int { files.reduce(0) { $0 + $1.tables.count { !$0.isEqual } } }

    /// The status the command ends with.
    public var status: ExitStatus {
        unequalCount == 0 && damage.isEmpty ? .published : .verifyMismatch
    }
}
