import TripDomain
import TripEngine
import TripMart

/// The rules of a folder held against the trips of the served generation: which rules hold together, what
/// each is worth, and which keys of trips no look-up knows.
struct Laboratory {
    /// The generation.
    let header: GenerationHeader
    /// Which rules hold together.
    let coverage: RuleCoverage
    /// Per look-up, the keys it found no row for.
    let orphans: [OrphanKeys]
    /// References of trips to look at, by number; none where the key is not at hand.
    let refs: [Int64: String]

    /// The mart as a command names it, after a blank.
    let martFlags: String
    /// Whether the folder has edits, which `explain` does not know of.
    let hasEdits: Bool
    /// Whether keys are shown that look-ups have no row for: whoever reads them asked for it.
    let showsKeys: Bool

    /// Asks every rule and every look-up about every stored trip.
    ///
    /// - Parameters:
    ///   - compiled: The folder's pipeline.
    ///   - options: Where folder and mart are, and the threads to use.
    ///   - showsKeys: Whether keys that look-ups have no row for are shown.
    ///   - progress: Where progress is shown.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where the trips would have to be read again
    ///   for this folder, or the mart is another pipeline's.
    init(
        _ compiled: CompiledPipeline,
        _ options: RunOptions,
        showsKeys: Bool = false,
        progress: Progress,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws {
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        // Refuses what cannot be asked of stored trips.
        hasEdits = try PlannedEdits(options, served).edits.count > 0
        self.showsKeys = showsKeys
        let classifier = compiled.classifier.overriding(dataThrough: served.header.dataThrough)
        let shape = served.shape
        let stored = try StoredTrips(
            served,
            columns: classifier.fieldsRead.union([shape.regionIndex, shape.tripTypeIndex]),
            leavesOfBatch: leavesOfBatch
        )
        progress.begin("examining")
        let parts = ParallelWork.map(
            count: stored.batchCount,
            threadCount: options.threadCount
        ) { index in
            Result { () throws(MartError) in
                let batch = try stored.batch(index)
                progress.update(done: Int64(index), total: Int64(stored.batchCount), detail: "")
                return classifier.examine(batch.trips, firstNumber: batch.firstNumber)
            }
        }
        var whole = TripClassifier.Examination(classifier)
        for part in parts { whole.add(try part.get()) }
        coverage = whole.coverage
        orphans = whole.orphans
        header = served.header
        martFlags = options.martWords.map { " " + $0 }.joined()
        let pairs = coverage.overlaps + coverage.orderedNeighbours
        refs = try options.refs(
            of: pairs.compactMap(\.sums.sample)
                + [coverage.decided(by: 0).sample].compactMap(\.self),
            in: served
        )
        progress.end(
            detail: Counted.text(
                coverage.all(isCounted: true).trips + coverage.all(isCounted: false).trips,
                "trip"
            )
        )
    }
}
