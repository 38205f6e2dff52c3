import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The decisions of all stored trips under other rules and reference files; nothing is written.
struct StoredDecisions {
    /// The KPIs of the trips.
    let cube: Cube
    /// The trips by their old and new rules.
    let changes: DecisionChanges
    /// The trips that move, by the edit that moves them; empty where all edits are taken together.
    let moves: [EditMove]
    /// Integer results of expressions that left 64 bits.
    let overflows: Int
    /// The counts of each look-up, in the pipeline's order.
    let tallies: [TripClassifier.LookupTally]
    /// The regions compared with those that the exports name.
    let regions: RegionComparison
    /// The trips that were classified.
    let stored: StoredTrips
    /// The decisions in stored order, where they are kept.
    let batches: [RevisedBatch]

    /// Classifies all trips of a generation again.
    ///
    /// - Parameters:
    ///   - served: The generation.
    ///   - classifier: The rules; they read the fields the trips are stored with.
    ///   - steps: The edits one after the other; nil where their order does not matter.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - progress: Where progress is shown.
    ///   - isKept: Whether the decisions are to be published.
    ///   - leavesOfBatch: Leaf pages classified at a time; fewer in tests.
    /// - Throws: `MartError` of the file, `SumOverflow` where the amounts cannot be summed up, or
    ///   ``RunError`` where a region or trip type would be the reserved word.
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
        let done = BatchProgress(
            progress,
            stage: "deciding",
            batchCount: stored.batchCount
        )
        let parts = Parallel.map(stored.batchCount, threads: threadCount) { index in
            Result {
                let batch = try stored.batch(index)
                defer { done.add(trips: batch.trips.count) }
                return try Part(batch, shape, classifier, asking: asked, isKept: isKept)
            }
        }
        var whole = Part(classifier)
        for part in parts {
            let part = try part.get()
            // Trips are numbered without gaps.
            let count = whole.totals.amount.items
            guard part.firstNumber == count + 1 || part.totals.amount.items == 0 else {
                throw served.damaged
            }
            whole.add(part)
        }
        done.end()
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
    /// Refuses trips whose stored decisions do not give the generation's own numbers: a fault of
    /// the file would look like an effect of the edits.
    private static func requireServedNumbers(_ whole: Part, _ served: ServedMart) throws(MartError)
    {
        let rules = try served.rules()
        var found: [ClassAndBasis: CostSums] = [:]
        for move in whole.changes.all where move.transition.wasCounted {
            let rule = move.transition.oldRule == 0 ? nil : rules[move.transition.oldRule - 1]
            let key = ClassAndBasis(
                tripClass: rule?.tripClass ?? .undetermined,
                basis: ByteText(rule?.basis ?? "")
            )
            found[key, default: CostSums()] += move.sums
        }
        var expected: [ClassAndBasis: CostSums] = [:]
        // One row for each class and basis, not the hundred thousand of all months, regions and
        // types.
        for row in try served.kpi(KPIQuery(by: [.tripClass, .basis])).rows {
            let key = ClassAndBasis(
                tripClass: TripClass(word: row.keys[0]) ?? .undetermined,
                basis: ByteText(row.keys[1])
            )
            expected[key, default: CostSums()] += row.sums.costs
        }
        let accepted = try served.ledger()[.accepted]
        guard found == expected, accepted == whole.totals.amount else { throw served.damaged }
    }

    private struct ClassAndBasis: Hashable {
        let tripClass: TripClass
        let basis: ByteText
    }
}

/// The inputs of every batch beside its trips.
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

/// The decisions of some of the trips.
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

    /// Creates a part without trips.
    init(_ classifier: TripClassifier) {
        tallies = classifier.lookups.map { _ in TripClassifier.LookupTally() }
        totals = TripTotals(rules: classifier.rules)
        changes = DecisionChanges()
    }

    /// Classifies the trips of one batch.
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
                ClassifiedTrips(batch.trips, stored, asked.rules),
                ClassifiedTrips(outcome.batch, shape, classifier.rules),
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
