import TripDomain
import TripEngine
import TripMart

/// What all stored trips come to under other rules and reference files; nothing is written.
struct StoredDecisions {
    /// The KPIs they add up to.
    let cube: Cube
    /// Which rules decide instead of which.
    let changes: DecisionChanges
    /// The trips that move, by the edit that moves them; none where all edits are taken together.
    let moves: [EditMove]
    /// Integer results of expressions that left 64 bits.
    let overflows: Int
    /// What each look-up found, in the pipeline's order.
    let tallies: [TripClassifier.LookupTally]
    /// The regions beside those the exports name.
    let regions: RegionComparison
    /// The trips the decisions are about.
    let stored: StoredTrips
    /// The decisions in stored order, where they are kept.
    let batches: [RevisedBatch]

    /// Decides all trips of a generation anew.
    ///
    /// - Parameters:
    ///   - served: The generation.
    ///   - classifier: The rules to decide by; they read the fields the trips are stored with.
    ///   - steps: The edits one after the other; nil where that does not matter.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - progress: Where progress is shown.
    ///   - isKept: Whether the decisions are to be published.
    ///   - leavesOfBatch: Leaf pages decided at a time; fewer in tests.
    /// - Throws: `MartError` of the file, `EngineError` where the amounts cannot be added up, or ``RunError`` where
    ///   a region or trip type would be the reserved word.
    init(
        _ served: ServedMart,
        _ classifier: TripClassifier,
        steps: EditSteps? = nil,
        threadCount: Int,
        progress: Progress,
        isKept: Bool = false,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws {
        let shape = served.shape
        var wanted = classifier.fieldsRead.union([shape.regionIndex, shape.tripTypeIndex])
        for step in steps?.classifiers ?? [] { wanted.formUnion(step.fieldsRead) }
        let asked = try Asked(steps, served.rules())
        if isKept { wanted.formUnion(served.codedFields) }
        let stored = try StoredTrips(served, columns: wanted, leavesOfBatch: leavesOfBatch)
        progress.begin("deciding")
        let done = BatchProgress(progress, batchCount: stored.batchCount)
        let parts = ParallelWork.map(count: stored.batchCount, threadCount: threadCount) { index in
            Result {
                let batch = try stored.batch(index)
                defer { done.add(trips: batch.trips.count) }
                return try Part(batch, shape, classifier, asking: asked, isKept: isKept)
            }
        }
        var whole = Part(classifier)
        for part in parts {
            let part = try part.get()
            // Trips are numbered without a gap.
            let count = whole.totals.amount.items
            guard part.firstNumber == count + 1 || part.totals.amount.items == 0 else {
                throw served.damaged
            }
            whole.add(part)
        }
        progress.end(detail: done.detail)
        cube = try Cube(whole.totals)
        changes = whole.changes
        try Self.requireServedNumbers(whole, served)
        moves = zip(steps?.names ?? [], whole.moves).map { EditMove(name: $0, sums: $1) }
        overflows = whole.overflows
        tallies = whole.tallies
        regions = whole.regions
        batches = whole.batches
        self.stored = stored
    }
}

extension StoredDecisions {
    /// Refuses trips whose stored decisions do not come to the generation's own numbers: what is wrong with
    /// the file would look like an effect of the edits.
    private static func requireServedNumbers(_ whole: Part, _ served: ServedMart) throws(MartError)
    {
        let rules = try served.rules()
        var found: [Ground: BasisSums] = [:]
        for move in whole.changes.all where move.way.wasCounted {
            let rule = move.way.oldRule == 0 ? nil : rules[move.way.oldRule - 1]
            let ground = Ground(
                tripClass: rule?.tripClass ?? .undetermined,
                basis: ByteText(rule?.basis ?? "")
            )
            found[ground, default: BasisSums()].add(move.trips, move.costedTrips, move.costCents)
        }
        var expected: [Ground: BasisSums] = [:]
        // One row for each, not the hundred thousand of all months, regions and types.
        for row in try served.kpi(KPIQuery(by: [.tripClass, .basis])).rows {
            let ground = Ground(
                tripClass: TripClass(word: row.keys[0]) ?? .undetermined,
                basis: ByteText(row.keys[1])
            )
            let sums = row.sums
            let costed =
                sums.inHouseCostedTrips + sums.contractedCostedTrips + sums.undeterminedCostedTrips
            expected[ground, default: BasisSums()].add(sums.trips, costed, sums.costCents)
        }
        let accepted = try served.ledger()[.accepted]
        guard found == expected, accepted == whole.totals.amount else { throw served.damaged }
    }

    private struct Ground: Hashable {
        let tripClass: TripClass
        let basis: ByteText
    }

    private struct BasisSums: Hashable {
        var trips: Int64 = 0
        var costedTrips: Int64 = 0
        var costCents: Int64 = 0

        mutating func add(_ trips: Int64, _ costedTrips: Int64, _ costCents: Int64) {
            self.trips += trips
            self.costedTrips += costedTrips
            self.costCents += costCents
        }
    }
}

/// What is asked of every batch beside its decisions.
private struct Asked: Sendable {
    /// The edits one after the other; nil where they are all taken together.
    let steps: EditSteps?
    /// The generation's rules.
    let rules: [RuleEntry]

    init(_ steps: EditSteps?, _ rules: [RuleEntry]) {
        self.steps = steps.flatMap { $0.classifiers.isEmpty ? nil : $0 }
        self.rules = rules
    }
}

/// What some of the trips come to.
private struct Part: Sendable {
    /// The number of the first trip.
    var firstNumber: Int64 = 1
    var totals: TripTotals
    var changes: DecisionChanges
    var overflows = 0
    var tallies: [TripClassifier.LookupTally]
    var regions = RegionComparison()
    var moves: [EditMove.Sums] = []
    var batches: [RevisedBatch] = []

    /// No trips.
    init(_ classifier: TripClassifier) {
        tallies = classifier.lookups.map { _ in TripClassifier.LookupTally() }
        totals = TripTotals(rules: classifier.rules)
        changes = DecisionChanges()
    }

    /// Decides the trips of one batch.
    init(
        _ batch: StoredTrips.Batch,
        _ stored: TripShape,
        _ classifier: TripClassifier,
        asking asked: Asked,
        isKept: Bool
    ) throws(RunError) {
        self.init(classifier)
        firstNumber = batch.firstNumber
        let outcome = classifier.reclassify(batch.trips)
        guard outcome.reservedRecord == nil else {
            throw RunError(
                .badPipeline,
                summary: "a reserved word as region or trip type",
                what: "A trip would belong to the region or trip type `\(KPICell.all)`, which "
                    + "stands for the sum of all.",
                remedies: ["Give the region or trip type another word in the reference file."]
            )
        }
        let shape = classifier.shape
        totals = TripTotals(outcome.batch, shape: shape, rules: classifier.rules)
        changes.add(
            old: batch.trips,
            new: outcome.batch,
            firstNumber: batch.firstNumber,
            cost: shape.costIndex.map { outcome.batch.columns[$0].integers }
        )
        changes.addRelocated(
            [(stored.regionIndex, shape.regionIndex), (stored.tripTypeIndex, shape.tripTypeIndex)]
                .map { (batch.trips.columns[$0].texts, outcome.batch.columns[$1].texts) },
            firstNumber: batch.firstNumber
        )
        if let steps = asked.steps {
            moves = steps.sums(
                Decided(batch.trips, stored, asked.rules),
                Decided(outcome.batch, shape, classifier.rules),
                firstNumber: batch.firstNumber
            )
        }
        overflows = outcome.overflows
        tallies = outcome.tallies
        regions = outcome.regions
        if isKept { batches = [RevisedBatch(batch, outcome.batch, shape: shape)] }
    }

    /// Adds the trips of later batches.
    mutating func add(_ other: Part) {
        totals.add(other.totals)
        changes.add(other.changes)
        overflows += other.overflows
        for (lookup, tally) in other.tallies.enumerated() { tallies[lookup] += tally }
        regions += other.regions
        if moves.isEmpty {
            moves = other.moves
        } else {
            for (step, sums) in other.moves.enumerated() { moves[step] += sums }
        }
        batches += other.batches
    }
}
