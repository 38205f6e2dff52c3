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
/// come first: each moves between classes what a plan says it would.
struct GenerationDifference {
    /// The causes, in order.
    let causes: [DifferenceCause]
    /// The trips of each of them.
    let moves: [DifferenceMove]
    /// What the numbers of places stand for.
    let places: [KPIPlace]

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
    /// - Complexity: O(*n*) in the trips of both; about 55 bytes of memory for each.
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
            places: KPIPlaces()
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
        let earlier = try EarlierTrips(first, second, shared)
        let parts = try walk(try earlier.stored(leavesOfBatch)) { try earlier.moves($0) }
        let placed = try PlacedGeneration(parts, of: first)
        let later = try LaterTrips(second, since: first, placed, shared)
        let added = try walk(try later.stored(leavesOfBatch)) { try later.moves($0) }
        // What is wrong with a file would look like a cause.
        let places = shared.places.all
        try places.require(placed.stored, of: first)
        try places.require(
            added.reduce(into: [:]) { $0.merge($1) { $0 + $1 } },
            of: second
        )
        causes = edits.causes
        self.moves = moves
        self.places = places
    }
}

/// What both generations are walked through with.
struct DifferenceWalk: Sendable {
    /// What was edited between them.
    let edits: PublishedEdits
    /// Which trips are the same.
    let pairs: TripPairs
    /// Numbers for where trips stand.
    let places: KPIPlaces
}

extension [KPIPlace] {
    /// Refuses a generation whose stored trips do not come to its own numbers.
    ///
    /// - Parameters:
    ///   - sums: What the trips add, by the number of the place.
    ///   - mart: The generation.
    /// - Throws: `MartError` with code `damaged` or `olderFile`; of the file.
    fileprivate func require(
        _ sums: [UInt32: PlacedSums],
        of mart: ServedMart
    ) throws(MartError) {
        try mart.requireAllSums()
        for by: [KPIDimension] in [
            [.month, .tripType, .region], [.month, .tripType, .region, .tripClass, .basis],
        ] {
            let query = KPIQuery(by: by)
            var found: [[ByteText]: KPISums] = [:]
            for (number, added) in sums {
                let place = self[Int(number) - 1]
                found[place.keys(query) ?? [], default: KPISums()] += added.kpi(
                    place.tripClass,
                    hasMiles: !query.needsBasis
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
