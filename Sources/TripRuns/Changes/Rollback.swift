import TripDomain
import TripEngine
import TripMart

/// `rollback`: an older generation is published once more, and what came after it is held.
///
/// What it was made from decides from then on: its exports, its rules, its reference files. What came after
/// it stays in the archive and in history, and nights leave it out until somebody asks for it. The
/// generation that is left is not opened: it may be damaged, and what is kept of it for good is enough.
struct Rollback {
    private let options: RunOptions
    private let target: Int
    private let progress: Progress
    private let announce: (Int) -> Void
    private let startedAt = Progress.milliseconds()

    /// Prepares to go back.
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
    /// - Throws: ``RunError`` with code `notFound`; `MartError` where the link is damaged.
    @discardableResult
    static func require(_ folder: MartFolder) throws -> Int {
        guard let served = try folder.servedNumber() else {
            throw RunError(
                .notFound,
                summary: "nothing is published yet",
                what: "\(folder.path) has no generation.",
                remedies: ["Name another folder with --mart."]
            )
        }
        return served
    }

    /// Publishes the older content under a new number.
    ///
    /// - Returns: What it did.
    /// - Throws: ``RunError`` where the generation is not there; `MartError` of the files. Whatever is
    ///   thrown, the served generation is unchanged.
    func perform() throws -> NightReport {
        // 1. Take the mart; find the generation to go back to, and look whether every byte of it is as it
        // was published.
        let mart = try NightMart(options, command: "rollback", opensServed: false)
        defer { mart.release() }
        let number = try Self.require(mart.folder)
        try requireKept(mart.folder, served: number)
        let base = try ServedMart.open(mart.folder, generation: target)
        try requireWhole(base, mart)

        // 2. See what is left behind, and who answers for other rules.
        let served = try Self.kept(number, mart.folder)
        let holds = try Self.holds(leaving: served, for: base)
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
                holds: holds,
                approval: approval
            ),
            progress: progress,
            now: options.now,
            announce: announce
        )
        return try report(mart, base, holds)
    }

    private func report(
        _ mart: NightMart,
        _ base: ServedMart,
        _ holds: [Hold]
    ) throws(MartError) -> NightReport {
        var report = NightReport(outcome: .published)
        report.pipelineText = "…"
        report.generation = mart.nextNumber
        report.contentOf = target
        report.ledger = try base.ledger()
        report.trips = report.ledger[.accepted].items
        report.dataThrough = base.header.dataThrough
        report.latestMonth = try base.header.dataThrough.map { day throws(MartError) in
            (day.month, try base.kpi(KPIQuery(months: day.month...day.month)).total.sums)
        }
        report.holds = holds.files.unmended(by: try base.files())
        report.leftEdits = holds.filter { $0.kind != .file }.map(\.path)
        report.unfinished = mart.unfinished
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    /// What is kept of a generation for good, or else the generation itself.
    static func kept(
        _ number: Int,
        _ folder: MartFolder
    ) throws(MartError) -> any SummaryReading {
        do throws(MartError) {
            return try PublishedCube.open(folder, generation: number)
        } catch {
            return try ServedMart.open(folder, generation: number)
        }
    }

    /// The zone of its time stamps; UTC where its pipeline can no longer be read.
    private func zone(of base: ServedMart) throws -> TimeZoneRules {
        // Going back must not fail for the time it is printed in.
        let name = (try? PublishedInputs(base).kept.pipeline.timeZone) ?? "UTC"
        return try ZoneFiles.load(name, namedBy: "pipeline.yaml")
    }

    /// Refuses to publish once more what is not as it was published, or what no night could go on from.
    private func requireWhole(_ base: ServedMart, _ mart: NightMart) throws {
        try SumFile.verify(base.file.path)
        let history = try PublishedCube.open(mart.folder, generation: target)
        guard try history.hasAllSums() else {
            throw RunError(
                .badPipeline,
                summary: "generation \(target) is of an older version",
                what: "An older version of Triptych published it, without some of today's sums, so "
                    + "that it cannot be served as it is.",
                remedies: [
                    "Leave the exports out that should not count: triptych run --full --skip FILE",
                    "Or go back with the version that published it.",
                ]
            )
        }
        guard try history.cube() == base.cube(), try history.files() == base.files(),
            try history.inputs() == base.inputs()
        else { throw history.damaged }
        let missing = try base.files().filter { !mart.archive.contains(hash: $0.archiveHash) }
        guard missing.isEmpty else { throw RunError.knownFilesMissing(missing.map(\.path)) }
    }

    /// Who answers for it, where other rules or reference files come into force and a pipeline asks for a
    /// second person.
    private func approval(
        _ served: some SummaryReading,
        _ base: some SummaryReading,
        _ folder: MartFolder
    ) throws -> ChangeApproval? {
        let (left, taken) = (try served.inputs(), try base.inputs())
        if Set(left) != Set(taken) {
            let person = try SecondPerson(named: left + taken)
                .with(served.holds() + base.holds(), folder)
            try person.requireApprover(
                options,
                "Have somebody else look at it, and name them: triptych rollback \(target) "
                    + "--approved-by NAME"
            )
        }
        return SecondPerson.approval(options, nil)
    }

    /// What is held when one generation is left for another: every export and every input of the one that
    /// the other does not have, and what was held before.
    ///
    /// - Parameters:
    ///   - served: The generation that is left.
    ///   - base: The one whose content is published.
    /// - Returns: One entry per content of a file.
    /// - Throws: `MartError` of the files.
    static func holds(
        leaving served: some SummaryReading,
        for base: some SummaryReading
    ) throws(MartError) -> [Hold] {
        let staying = try contents(of: base)
        var last: [PathKey: Int] = [:]
        for hold in staying.files {
            last[PathKey(hold)] = max(hold.sequence, last[PathKey(hold)] ?? 0)
        }
        // A content that came once more, after another one, is not the one that came first.
        let kept = Set(staying.map { HoldKey($0, sequence: $0.sequence) })
        // What was missed of the generation gone back to is missed again; all else from its end on.
        let left = try (served.holds() + contents(of: served)).map { hold in
            var hold = hold
            hold.after = last[PathKey(hold)] ?? 0
            return hold
        }
        var places: [HoldKey: Int] = [:]
        var holds: [Hold] = []
        for hold in try base.holds() + left
        where !kept.contains(HoldKey(hold, sequence: hold.sequence)) {
            let key = HoldKey(hold, sequence: 0)
            guard let place = places[key] else {
                places[key] = holds.count
                holds.append(hold)
                continue
            }
            // Of a content that came twice the last time counts.
            holds[place].sequence = max(holds[place].sequence, hold.sequence)
        }
        return holds
    }

    /// Everything a generation was made from, as it would be held.
    private static func contents(of mart: some SummaryReading) throws(MartError) -> [Hold] {
        let number = mart.header.number
        let files = try mart.files().map { file in
            Hold(
                kind: .file,
                source: file.source,
                path: file.path,
                contentHash: file.contentHash,
                archiveHash: file.archiveHash,
                sequence: file.sequence,
                generation: number
            )
        }
        return try files
            + mart.inputs().map { input in
                Hold(
                    kind: input.role == .reference ? .reference : .pipeline,
                    source: "",
                    path: input.path,
                    contentHash: input.hash,
                    archiveHash: input.hash,
                    generation: number
                )
            }
    }

    /// What tells one held content from another.
    private struct HoldKey: Hashable {
        let kind: Hold.Kind
        let path: PathKey
        let contentHash: String
        let sequence: Int

        init(_ hold: Hold, sequence: Int) {
            kind = hold.kind
            path = PathKey(hold)
            contentHash = hold.contentHash
            self.sequence = sequence
        }
    }

    private func requireKept(_ folder: MartFolder, served: Int) throws {
        guard target != served else {
            throw RunError(
                .usage,
                summary: "generation \(target) is served already",
                what: "There is nothing to go back from.",
                remedies: ["See what was published before: triptych runs list"]
            )
        }
        guard try !folder.generationNumbers().contains(target) else { return }
        throw try RunError.tripsNotKept(target, folder, remedy: "Go back to one of these.")
    }
}

extension RunError {
    /// The refusal of a generation whose trips are not, or never were, in the mart.
    ///
    /// - Parameters:
    ///   - generation: The number that was asked for.
    ///   - folder: The mart.
    ///   - remedy: What to ask instead.
    /// - Returns: The error, which says which there are.
    /// - Throws: `MartError` of the folder.
    static func tripsNotKept(
        _ generation: Int,
        _ folder: MartFolder,
        remedy: String
    ) throws(MartError) -> RunError {
        let kept = Shown.ranges(try folder.generationNumbers())
        let numbers =
            try folder.historyNumbers().contains(generation)
            ? ["Its numbers are kept for good: triptych kpi --as-published \(generation)"] : []
        return RunError(
            .notFound,
            summary: "the trips of generation \(generation) are not kept",
            what: "The trips that \(folder.path) keeps: of generation \(kept).",
            remedies: [remedy] + numbers
        )
    }
}
