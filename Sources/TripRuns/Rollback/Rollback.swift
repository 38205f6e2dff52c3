import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// `rollback`: publishes an older generation again, and excludes what came after it.
///
/// From then on its inputs are in force: its exports, its rules, its reference files. Later
/// contents stay in the archive and in history, and runs leave them out until the operator includes
/// them. The generation that is left is not opened: it may be damaged, and the part of it that is
/// kept for good is enough. Where that is damaged as well, nothing says what came after: then
/// nothing is excluded, and the next run takes in what the landing folder has.
struct Rollback {
    private let options: RunOptions
    private let target: Int
    private let progress: Progress
    private let announce: (Int) -> Void
    private let startedAt = Progress.milliseconds()

    /// Prepares a rollback.
    ///
    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - target: The generation to go back to.
    ///   - progress: Where progress is shown.
    ///   - announce: Called with the number of a generation that is about to be published.
    init(
        options: RunOptions,
        to target: Int,
        progress: Progress,
        announce: @escaping (Int) -> Void = { _ in }
    ) {
        self.options = options
        self.target = target
        self.progress = progress
        self.announce = announce
    }

    /// Refuses a folder in which nothing was ever published.
    ///
    /// - Returns: The number of the served generation.
    /// - Throws: `MartError` with code `nothingServed`, or where the link is damaged.
    @discardableResult
    static func require(_ folder: MartFolder) throws -> Int {
        try ServedMart.number(in: folder)
    }

    /// Publishes the older content under a new number.
    ///
    /// - Returns: Its report.
    /// - Throws: ``RunError`` where the generation does not exist; `MartError` of the files. After
    ///   any of them, the served generation is unchanged.
    func perform() throws -> RunReport {
        // 1. Lock the mart; find the generation to go back to, and check that every byte of it is
        // as it was published.
        let mart = try RunMart(options, command: "rollback", opensServed: false)
        defer { mart.release() }
        let number = try Self.requireKept(target, mart.folder)
        let base = try ServedMart.open(mart.folder, generation: target)
        try requireWhole(base, mart)

        // 2. Find the exclusions, and who approves other rules.
        let served = try Self.left(number, mart.folder)
        let exclusions = try Self.exclusions(leaving: served, for: base)
        let approval = try self.approval(served, base, mart.folder)

        // 3. Copy it under a new number, recount the copy from its own pages, publish it.
        var header = base.header
        header.number = mart.nextNumber
        header.publishedAt = LocalTime.text(options.now, zone: try zone(of: base))
        try mart.publish(
            GenerationCopy(
                base: target,
                tripCount: Int(base.ledger()[.accepted].items),
                header: header,
                exclusions: exclusions,
                approval: approval
            ),
            progress: progress,
            now: options.now,
            announce: announce
        )
        var report = try report(mart, base, exclusions, leaving: served)
        if served == nil { report.unreadableLeft = number }
        // Whatever is wrong with its file, no command that reads it is offered.
        report.isPreviousDamaged =
            (try? ServedMart.open(mart.folder, generation: number).file.requireWhole()) == nil
        return report
    }

    private func report(
        _ mart: RunMart,
        _ base: ServedMart,
        _ exclusions: [Exclusion],
        leaving served: (any SummaryReading)?
    ) throws(MartError) -> RunReport {
        var report = RunReport(outcome: .published, options, mart)
        report.generation = mart.nextNumber
        report.previousGeneration = served?.header.number
        report.moves = MonthMove.since(served, try base.monthGroups())
        report.contentOf = target
        if let location = base.location {
            report.tripsAt = location.uri
            report.nextRun = options.clusterRun
        }
        report.ledger = try base.ledger()
        report.trips = report.ledger[.accepted].items
        report.dataThrough = base.header.dataThrough
        report.latestMonth = try base.header.dataThrough.map { day throws(MartError) in
            (day.month, try base.kpi(KPIQuery(months: day.month...day.month)).total.sums)
        }
        report.exclusions = exclusions.files.withoutReplacement(by: try base.files())
        report.excludedEdits = exclusions.filter { $0.kind != .file }.map(\.path)
        report.unfinished = mart.unfinished
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    /// The part of a generation that is kept for good, or else the generation itself.
    static func kept(
        _ number: Int,
        _ folder: MartFolder
    ) throws(MartError) -> any SummaryReading {
        do throws(MartError) {
            return try PublishedCube.whole(folder, generation: number)
        } catch {
            let mart = try ServedMart.open(folder, generation: number)
            try mart.file.requireWhole()
            return mart
        }
    }

    /// What is known of the generation that is left; nil where no file of it is as published.
    private static func left(
        _ number: Int,
        _ folder: MartFolder
    ) throws(MartError) -> (any SummaryReading)? {
        do throws(MartError) {
            return try kept(number, folder)
        } catch {
            guard error.isDamage(of: folder.generationPath(number)) else { throw error }
            return nil
        }
    }

    /// The zone of its time stamps; UTC where its pipeline can no longer be read.
    private func zone(of base: ServedMart) throws -> TimeZoneRules {
        // The rollback must not fail because of the zone of a printed time.
        let name = (try? PublishedInputs(base).kept.pipeline.timeZone) ?? "UTC"
        return try ZoneFiles.load(name, namedBy: "pipeline.yaml")
    }

    /// Refuses a generation that is not as it was published, or from which no run could continue.
    private func requireWhole(_ base: ServedMart, _ mart: RunMart) throws {
        try base.file.requireWhole()
        let history = try PublishedCube.whole(mart.folder, generation: target)
        try mart.folder.requireWholeKPI(target)
        guard try history.hasAllSums() else {
            throw RunError(
                .badPipeline,
                summary: "generation \(target) comes from an older version",
                what: "An older version of Triptych published it, without some of today's sums, so "
                    + "that it cannot be served as it is.",
                remedies: [
                    "Leave out the exports that should not count: triptych run "
                        + "\(options.runWords) --full --skip FILE",
                    "Or go back with the version that published it.",
                ]
            )
        }
        guard try history.cube() == base.cube(), try history.files() == base.files(),
            try history.inputs() == base.inputs()
        else { throw history.damaged }
        // Exports that a cluster read were never in the archive.
        guard base.location == nil else { return }
        let missing = try base.files().filter { !mart.archive.contains(hash: $0.archiveHash) }
        guard missing.isEmpty else { throw RunError.knownFilesMissing(missing.map(\.path)) }
    }

    /// The author and approver, where the rollback brings other rules or reference files into force
    /// and a pipeline requires a second person.
    private func approval(
        _ served: (any SummaryReading)?,
        _ base: some SummaryReading,
        _ folder: MartFolder
    ) throws -> ChangeApproval? {
        let (left, taken) = (try served?.inputs(), try base.inputs())
        if left.map(Set.init) != Set(taken) {
            let person = try DualControl(named: (left ?? []) + taken)
                .with((served?.exclusions() ?? []) + base.exclusions(), folder)
            try person.requireApprover(
                options,
                "Have a second person review it, and name them: triptych rollback \(target)"
                    + "\(options.martFlags) --approved-by NAME"
            )
        }
        return DualControl.approval(options, nil)
    }

    /// Refuses a generation to which no rollback leads.
    ///
    /// - Parameters:
    ///   - target: The generation to go back to.
    ///   - folder: The mart.
    /// - Returns: The number of the served generation.
    /// - Throws: ``RunError`` where the target is served already or its trips are not kept;
    ///   `MartError` where nothing is published.
    @discardableResult
    static func requireKept(_ target: Int, _ folder: MartFolder) throws -> Int {
        let served = try require(folder)
        guard target != served else {
            throw RunError(
                .usage,
                summary: "generation \(target) is served already",
                what: "A rollback needs the number of another generation.",
                remedies: ["See what was published before: triptych runs list\(folder.flags())"]
            )
        }
        guard try folder.generationNumbers().contains(target) else {
            let last = try folder.generationNumbers().last { $0 != served }
            throw try RunError.tripsNotKept(
                target,
                folder,
                remedy: last.map {
                    "Go back to one of these, such as: triptych rollback \($0)\(folder.flags())"
                } ?? "There is none to go back to. To publish without an export: "
                    + "triptych run PIPELINE\(folder.flags()) --input DIR --skip FILE"
            )
        }
        return served
    }
}

extension RunError {
    /// The refusal of a generation whose trips are not, or never were, in the mart.
    ///
    /// - Parameters:
    ///   - generation: The number that was asked for.
    ///   - folder: The mart.
    ///   - remedy: What to request instead.
    /// - Returns: The error; it lists the generations whose trips are kept.
    /// - Throws: `MartError` of the folder.
    static func tripsNotKept(
        _ generation: Int,
        _ folder: MartFolder,
        remedy: String
    ) throws(MartError) -> RunError {
        let kept = Counted.ranges(try folder.generationNumbers())
        let numbers =
            try folder.historyNumbers().contains(generation)
            ? [
                "Its numbers are kept for good: triptych kpi --as-published "
                    + "\(generation)\(folder.flags())"
            ] : []
        return RunError(
            .notFound,
            summary: "the trips of generation \(generation) are not kept",
            what: "\(folder.path) keeps the trips of generation \(kept).",
            remedies: [remedy] + numbers
        )
    }
}
