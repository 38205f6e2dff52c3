import TripDomain
import TripEngine
import TripMart

/// Why the numbers of two generations are not the same: each trip that adds something else, by its causes.
///
///     stored in the first    decided by the second's     stored in the second
///                            rules and reference files
///           3  ──────────────────────▶ 17 ──────────────────────▶ 17       rules
///           4  ──────────────────────▶  4 ──────────────────────▶  9       corrected
///           5  ──────────────────────▶ 18 ──────────────────────▶  –       rules, then withdrawn
///           –  ──────────────────────▶  – ──────────────────────▶ 21       new
///
/// Every trip goes from where it stood to where it stands without a gap, so that the parts sum exactly. Edits
/// come first: what they move is what a plan says they would.
struct GenerationDifference {
    /// The causes, in order.
    let causes: [DifferenceCause]
    /// The trips of each of them.
    let moves: [DifferenceMove]
    /// What the numbers of standings stand for.
    let standings: [Standing]

    /// Finds the causes.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    ///   - edits: What was edited between them.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    ///   - progress: Where progress is shown.
    /// - Throws: `MartError` of the files.
    /// - Complexity: O(*n*) in the trips of both; about 40 bytes of memory for each.
    init(
        _ first: ServedMart,
        _ second: ServedMart,
        edits: PublishedEdits,
        threadCount: Int,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch,
        progress: Progress
    ) throws {
        let shared = DifferenceWalk(
            edits: edits,
            pairs: try TripPairs(first, second, threadCount: threadCount),
            standings: Standings()
        )
        var moves = edits.causes.map { _ in DifferenceMove() }
        func walk<Part: Sendable>(
            _ trips: StoredTrips,
            _ body: @Sendable (StoredTrips.Batch) throws -> (Part, [DifferenceMove])
        ) throws -> [Part] {
            progress.begin("comparing")
            let done = BatchProgress(progress, batchCount: trips.batchCount)
            let parts = ParallelWork.map(count: trips.batchCount, threadCount: threadCount) {
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
            progress.end(detail: done.detail)
            return values
        }
        let earlier = try EarlierTrips(first, shared)
        let parts = try walk(try earlier.stored(leavesOfBatch)) { earlier.moves($0) }
        let later = try LaterTrips(
            second,
            since: PlacedGeneration(parts, of: first),
            through: first.header.dataThrough,
            shared
        )
        _ = try walk(try later.stored(leavesOfBatch)) { ((), try later.moves($0)) }
        causes = edits.causes
        self.moves = moves
        standings = shared.standings.all
    }
}

/// What both generations are walked through with.
struct DifferenceWalk: Sendable {
    /// What was edited between them.
    let edits: PublishedEdits
    /// Which trips are the same.
    let pairs: TripPairs
    /// Numbers for where trips stand.
    let standings: Standings
}
