import TripDomain
import TripEngine
import TripMart

/// The trips of the later of two generations: which are new, late or corrected, and what remains.
struct LaterTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let contents: [String]
    private let areStanding: [Bool]
    private let earlier: PlacedGeneration
    /// The last day of the earlier generation's data; nil where it has no trips.
    private let earlierEnd: CivilDate?
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let places: KPIPlaces

    /// - Parameters:
    ///   - mart: The later generation.
    ///   - first: The earlier one.
    ///   - earlier: What the trips of that one add, as the edits have them.
    ///   - walk: What both generations are walked through with.
    /// - Throws: `MartError` of the files.
    init(
        _ mart: ServedMart,
        since first: ServedMart,
        _ earlier: PlacedGeneration,
        _ walk: DifferenceWalk
    ) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        contents = try mart.files().map(\.contentHash)
        self.earlier = earlier
        earlierEnd = first.header.dataThrough
        areStanding = try mart.areStanding(in: first)
        (edits, pairs, places) = (walk.edits, walk.pairs, walk.places)
    }

    /// The trips to look at.
    func stored(_ leavesOfBatch: Int) throws(MartError) -> StoredTrips {
        try StoredTrips(
            mart,
            columns: mart.shape.columnsOfKPIs,
            readsOrigins: true,
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Looks at the trips of one batch.
    ///
    /// - Parameter batch: The trips.
    /// - Returns: What they add, and the trips of each cause.
    /// - Throws: `MartError` where a trip is of no file.
    func moves(
        _ batch: StoredTrips.Batch
    ) throws(MartError) -> ([UInt32: PlacedSums], [DifferenceMove]) {
        guard Int(batch.fileNumbers.max() ?? 0) <= contents.count else { throw mart.damaged }
        var moves = edits.causes.map { _ in DifferenceMove() }
        let (placed, sums) = places.summed(Decided(batch.trips, mart.shape, rules))
        let pickups = batch.trips.columns[mart.shape.pickupIndex].integers.values
        for row in placed.places.indices {
            let number = UInt32(batch.firstNumber) + UInt32(row)
            let file = Int(batch.fileNumbers[row]) - 1
            let partner = pairs.first[Int(number) - 1]
            let (before, cause): (PlacedTrip, DifferenceCause.Kind)
            if partner == TripPairs.none {
                let day = CivilTime.date(ofSeconds: pickups[row])
                let isLate = earlierEnd.map { day <= $0 } ?? false
                // What the earlier generation stood on, and did not have, is read otherwise.
                cause = areStanding[file] ? .remainder : isLate ? .late : .new
                before = PlacedTrip.absent
            } else {
                let place = earlier.place(of: partner)
                before = place.part.placed[place.row]
                guard before != placed[row] else { continue }
                let record = earlier.record(of: place)
                let isSame =
                    record.number == batch.trips.recordNumbers[row]
                    && record.content == contents[file]
                cause = isSame ? .remainder : .corrected
            }
            moves[edits.place(of: cause)].add(
                before,
                placed[row],
                DifferenceMove.Sample(isOfEarlier: false, number: number)
            )
        }
        return (sums, moves)
    }
}
