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
    /// The trips that each edit moves alone, then those of each ``Interplay``; empty where there is
    /// one edit, or all are taken together.
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
    ///   - single: The edits, each made alone; nil where they are not told apart.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - progress: Where progress is shown.
    ///   - isKept: Whether the decisions are to be published.
    ///   - leavesOfBatch: Leaf pages classified at a time; fewer in tests.
    /// - Throws: `MartError` of the file, `SumOverflow` where the amounts cannot be summed up, or
    ///   ``RunError`` where a region or trip type would be the reserved word.
    init(
        _ served: ServedMart,
        _ classifier: TripClassifier,
        single: SingleEdits? = nil,
        threadCount: Int,
        progress: Progress,
        isKept: Bool = false,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws {
        let shape = served.shape
        var wanted = classifier.fieldsRead.union(shape.columnsOfKPIs)
        // Of the measures and dimensions now declared; derived columns are computed again.
        wanted.formUnion(
            classifier.shape.declared.indexes.filter { !classifier.shape.columns[$0].isDerived }
        )
        for alone in single?.classifiers ?? [] { wanted.formUnion(alone.fieldsRead) }
        let asked = try Asked(single, served.rules())
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
        moves = asked.summed(whole.moves)
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
        let ledger = try served.ledger()
        var accepted = ledger[.accepted]
        // The trips have the amounts of the lines merged into them.
        accepted.cents += ledger[.merged].cents
        guard found == expected, accepted == whole.totals.amount else { throw served.damaged }
    }

    private struct ClassAndBasis: Hashable {
        let tripClass: TripClass
        let basis: ByteText
    }
}

/// The inputs of every batch beside its trips.
private struct Asked: Sendable {
    /// The edits, each made alone; nil where they are not told apart.
    let single: SingleEdits?
    /// The generation's rules.
    let rules: [RuleEntry]
    let cellKeys = KPICellKeys()

    init(_ single: SingleEdits?, _ rules: [RuleEntry]) {
        self.single = single.flatMap { $0.classifiers.isEmpty ? nil : $0 }
        self.rules = rules
    }

    /// The sums of the trips that move.
    func summed(_ moves: [DifferenceMove]) -> [EditMove] {
        guard let single else { return [] }
        let names = single.names.map { ($0, nil) } + Interplay.allCases.map { ($0.rawValue, $0) }
        let keys = cellKeys.all
        return zip(names, moves).map { EditMove($0.0, $0.1, $1, keys) }
    }

    /// The trips of a batch that move.
    func moves(
        _ batch: StoredTrips.Batch,
        _ stored: TripShape,
        _ planned: ClassifiedTrips,
        reached rows: [Int]
    ) -> [DifferenceMove] {
        guard let single else { return [] }
        let trips = batch.trips.gathered(rows)
        let before = cellKeys.contributions(ClassifiedTrips(trips, stored, rules))
        let after = cellKeys.contributions(planned.gathered(rows))
        return single.moves(
            of: trips,
            from: rows.indices.map { before[$0] },
            to: rows.indices.map { after[$0] },
            samples: rows.map { row in
                DifferenceMove.Sample(
                    isOfEarlier: true,
                    number: UInt32(batch.firstNumber) + UInt32(row)
                )
            },
            cellKeys
        )
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
    var moves: [DifferenceMove] = []
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
        let (outcome, reached) = classifier.reclassify(
            batch.trips,
            reachedBy: asked.single?.reach
        )
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
        moves = asked.moves(
            batch,
            stored,
            ClassifiedTrips(outcome.batch, shape, classifier.rules),
            reached: reached
        )
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
            for (edit, move) in other.moves.enumerated() { moves[edit] += move }
        }
        batches += other.batches
    }
}
