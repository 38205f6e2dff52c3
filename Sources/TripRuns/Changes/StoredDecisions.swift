import Synchronization
import TripDomain
import TripEngine
import TripMart

/// What all stored trips come to under other rules and reference files; nothing is written.
struct StoredDecisions {
    /// The KPIs they add up to.
    let cube: Cube
    /// What the accepted trips add up to, counted or not.
    let accepted: LedgerAmount
    /// Which rules decide instead of which.
    let changes: DecisionChanges
    /// Integer results of expressions that left 64 bits.
    let overflows: Int
    /// What each lookup found.
    let tallies: [TripClassifier.LookupTally]
    /// The regions beside those the exports name.
    let regions: RegionComparison

    /// Decides all trips of a generation anew.
    ///
    /// - Parameters:
    ///   - served: The generation.
    ///   - classifier: The rules to decide by; they read the fields the trips are stored with.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - progress: Where progress is shown.
    /// - Throws: `MartError` of the file, `EngineError` where a sum leaves 64 bits, or ``RunError`` where
    ///   a region or trip type would be the reserved word.
    init(
        _ served: ServedMart,
        _ classifier: TripClassifier,
        threadCount: Int,
        progress: Progress
    ) throws {
        let shape = served.shape
        let wanted = classifier.fieldsRead.union([shape.regionIndex, shape.tripTypeIndex])
        let stored = try StoredTrips(served, columns: wanted)
        let oldRuleCount = try served.rules().count
        progress.begin("deciding")
        let done = DecidingProgress(progress, batchCount: stored.batchCount)
        let parts = ParallelWork.map(count: stored.batchCount, threadCount: threadCount) { index in
            let part = Result {
                try Part(try stored.batch(index), shape, classifier, oldRuleCount: oldRuleCount)
            }
            done.add(part)
            return part
        }
        var whole = Part(classifier, oldRuleCount: oldRuleCount)
        for part in parts { whole.add(try part.get()) }
        progress.end(detail: Counted.text(whole.totals.amount.items, "trip"))
        cube = try Cube(whole.totals)
        accepted = whole.totals.amount
        changes = whole.changes
        overflows = whole.overflows
        tallies = whole.tallies
        regions = whole.regions
    }
}

/// What some of the trips come to.
private struct Part: Sendable {
    var totals: TripTotals
    var changes: DecisionChanges
    var overflows = 0
    var tallies: [TripClassifier.LookupTally]
    var regions = RegionComparison()

    /// No trips.
    init(_ classifier: TripClassifier, oldRuleCount: Int) {
        totals = TripTotals(rules: classifier.rules)
        changes = DecisionChanges(
            oldRuleCount: oldRuleCount,
            newRuleCount: classifier.rules.count
        )
        tallies = classifier.lookups.map { _ in TripClassifier.LookupTally() }
    }

    /// Decides the trips of one batch.
    init(
        _ batch: StoredTrips.Batch,
        _ stored: TripShape,
        _ classifier: TripClassifier,
        oldRuleCount: Int
    ) throws(RunError) {
        self.init(classifier, oldRuleCount: oldRuleCount)
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
                .map { (batch.trips.columns[$0].texts, outcome.batch.columns[$1].texts) }
        )
        overflows = outcome.overflows
        tallies = outcome.tallies
        regions = outcome.regions
    }

    /// Adds the trips of later batches.
    mutating func add(_ other: Part) {
        totals.add(other.totals)
        changes.add(other.changes)
        overflows += other.overflows
        for index in tallies.indices { tallies[index] += other.tallies[index] }
        regions += other.regions
    }
}

/// Counts what is decided for the bar.
private final class DecidingProgress: Sendable {
    private let progress: Progress
    private let batchCount: Int
    private let batches = Atomic<Int64>(0)
    private let trips = Atomic<Int64>(0)

    init(_ progress: Progress, batchCount: Int) {
        self.progress = progress
        self.batchCount = batchCount
    }

    func add(_ part: Result<Part, any Error>) {
        var added: Int64 = 0
        if case .success(let part) = part { added = part.totals.amount.items }
        let total = trips.add(added, ordering: .relaxed).newValue
        let done = batches.add(1, ordering: .relaxed).newValue
        progress.update(
            done: done,
            total: Int64(batchCount),
            detail: Counted.text(total, "trip")
        )
    }
}
