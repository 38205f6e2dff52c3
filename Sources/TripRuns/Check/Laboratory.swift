public import TripDomain
import TripEngine
import TripMart
import TripPipeline
public import TripRules

/// The rules of a folder, tested on the trips of the served generation.
///
/// It finds which rules hold for the same trips, what each rule is worth, and which keys of trips
/// no look-up has a row for.
public struct Laboratory: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// Which rules hold for the same trips.
    public let coverage: RuleCoverage
    /// Per look-up, the keys it found no row for.
    public let orphans: [OrphanKeys]
    /// References of sample trips, by number; empty where the key is not available.
    public let refs: [Int64: String]

    /// The flags that name the mart in a command, with a leading blank.
    public let martFlags: String
    /// Whether the folder has edits; `explain` does not apply them.
    public let hasEdits: Bool
    /// Whether to show the keys that look-ups have no row for; the user asked for them with a flag.
    public let showsKeys: Bool
    /// The folder's rules and those of its overrides, by number.
    public let rules: [RuleEntry]
    /// The folder's look-ups, in the order of the pipeline.
    public let lookups: [LookupDefinition]

    /// Evaluates every rule and every look-up on every stored trip.
    ///
    /// - Parameters:
    ///   - compiled: The folder's pipeline.
    ///   - options: Where folder and mart are, and the threads to use.
    ///   - showsKeys: Whether keys that look-ups have no row for are shown.
    ///   - progress: Where progress is reported.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where this folder needs the
    ///   exports to be read again, or the mart belongs to another pipeline.
    init(
        _ compiled: CompiledPipeline,
        _ options: RunOptions,
        showsKeys: Bool = false,
        progress: Progress,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws {
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        try served.requireTrips(options)
        // Refuses edits that cannot be tested on stored trips.
        hasEdits = try PlannedEdits(options, served).edits.count > 0
        self.showsKeys = showsKeys
        rules = compiled.classifier.rules
        lookups = compiled.lookups.map(\.definition)
        let classifier = compiled.classifier.overriding(dataThrough: served.header.dataThrough)
        let shape = served.shape
        let stored = try StoredTrips(
            served,
            columns: classifier.fieldsRead.union([shape.regionIndex, shape.tripTypeIndex]),
            leavesOfBatch: leavesOfBatch
        )
        progress.begin("examining")
        let parts = Parallel.map(
            stored.batchCount,
            threads: options.threadCount
        ) { index in
            Result { () throws(MartError) in
                let batch = try stored.batch(index)
                progress.update(done: Int64(index), total: Int64(stored.batchCount))
                return classifier.examine(batch.trips, firstNumber: batch.firstNumber)
            }
        }
        var whole = TripClassifier.Examination(classifier)
        for part in parts { whole.add(try part.get()) }
        coverage = whole.coverage
        orphans = whole.orphans
        header = served.header
        martFlags = options.martFlags
        let pairs = coverage.overlaps + coverage.orderedNeighbours
        refs = try options.refs(
            of: pairs.compactMap(\.sums.sample)
                + [coverage.decided(by: 0).sample].compactMap(\.self),
            in: served
        )
        let trips =
            coverage.all(isCounted: true).costs.trips + coverage.all(isCounted: false).costs.trips
        progress.end(WorkProgress.Amount(trips, "trip"))
    }
}
