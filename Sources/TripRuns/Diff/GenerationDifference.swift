import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// The difference between two generations: each trip whose contribution changed, by its causes.
///
///     stored in the first    classified by the           stored in the second
///                            second's rules and
///                            reference files
///           3  ──────────────────────▶ 17 ──────────────────────▶ 17       rules
///           4  ──────────────────────▶  4 ──────────────────────▶  9       corrected
///           5  ──────────────────────▶ 18 ──────────────────────▶  –       rules, then withdrawn
///           –  ──────────────────────▶  – ──────────────────────▶ 21       new
///
/// Every trip is followed from its old cell to its new one without a gap, so that the parts sum
/// exactly. Edits come first: each moves the trips between classes as its plan shows.
struct GenerationDifference {
    /// The causes, in order.
    let causes: [DifferenceCause]
    /// The trips of each of them.
    let moves: [DifferenceMove]
    /// The cell keys, by number less one.
    let cellKeys: [KPICellKey]

    /// Finds the causes.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    ///   - edits: The edits between them.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    ///   - progress: Where progress is shown.
    /// - Throws: `MartError` of the files.
    /// - Complexity: O(*n*) in the trips of both; about 55 bytes of memory for each.
    init(
        _ first: ServedMart,
        _ second: ServedMart,
        edits: PublishedEdits,
        threadCount: Int,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch,
        progress: Progress
    ) throws {
        let shared = DifferencePasses(
            edits: edits,
            pairs: try TripPairs(first, second, threadCount: threadCount),
            cellKeys: KPICellKeys()
        )
        var moves = edits.causes.map { _ in DifferenceMove() }
        func walk<Part: Sendable>(
            _ trips: StoredTrips,
            _ body: @Sendable (StoredTrips.Batch) throws -> (Part, [DifferenceMove])
        ) throws -> [Part] {
            let done = BatchProgress(
                progress,
                stage: "comparing",
                batchCount: trips.batchCount
            )
            let parts = Parallel.map(trips.batchCount, threads: threadCount) {
                index in
                Result {
                    let batch = try trips.batch(index)
                    defer { done.add(trips: batch.trips.count) }
                    return try body(batch)
                }
            }
            let values = try parts.map { part in
                let (value, added) = try part.get()
                for (cause, move) in added.enumerated() { moves[cause] += move }
                return value
            }
            done.end()
            return values
        }
        let earlier = try EarlierGenerationTrips(first, second, shared)
        let parts = try walk(try earlier.stored(leavesOfBatch)) { try earlier.moves($0) }
        let contributions = try GenerationContributions(parts, of: first)
        let later = try LaterGenerationTrips(second, since: first, contributions, shared)
        let added = try walk(try later.stored(leavesOfBatch)) { try later.moves($0) }
        // A damaged file would otherwise look like a cause.
        let cellKeys = shared.cellKeys.all
        try cellKeys.require(contributions.stored, of: first)
        try cellKeys.require(
            added.reduce(into: [:]) { $0.merge($1) { $0 + $1 } },
            of: second
        )
        causes = edits.causes
        self.moves = moves
        self.cellKeys = cellKeys
    }
}

/// The data that the passes over both generations share.
struct DifferencePasses: Sendable {
    /// The edits between them.
    let edits: PublishedEdits
    /// The trips that are the same in both.
    let pairs: TripPairs
    /// The numbers of cell keys.
    let cellKeys: KPICellKeys
}

extension [KPICellKey] {
    /// Refuses a generation whose stored trips do not give its own numbers.
    ///
    /// - Parameters:
    ///   - sums: The contributions of the trips, by the number of the cell key.
    ///   - mart: The generation.
    /// - Throws: `MartError` with code `damaged` or `olderFile`; of the file.
    fileprivate func require(
        _ sums: [UInt32: TripSums],
        of mart: ServedMart
    ) throws(MartError) {
        try mart.requireAllSums()
        for by: [KPIDimension] in [
            [.month, .tripType, .region], [.month, .tripType, .region, .tripClass, .basis],
        ] {
            let query = KPIQuery(by: by)
            var found: [[ByteText]: KPISums] = [:]
            for (number, added) in sums {
                let cellKey = self[Int(number) - 1]
                found[cellKey.keys(query) ?? [], default: KPISums()].add(
                    query.needsBasis ? TripSums(added.costs) : added,
                    of: cellKey.tripClass
                )
            }
            for row in try mart.kpi(query).rows {
                let keys = row.keys.map { ByteText($0) }
                guard found.removeValue(forKey: keys) == row.sums else { throw mart.damaged }
            }
            guard found.isEmpty else { throw mart.damaged }
        }
    }
}
