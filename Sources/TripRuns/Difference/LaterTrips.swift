import TripDomain
import TripEngine
import TripMart

/// The trips of the later of two generations: which are new, late or corrected, and what remains.
struct LaterTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let contents: [String]
    private let earlier: PlacedGeneration
    /// The last day of the earlier generation's data; nil where it has no trips.
    private let earlierEnd: CivilDate?
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let standings: Standings

    /// - Parameters:
    ///   - mart: The later generation.
    ///   - earlier: What the trips of the earlier one add, as the edits have them.
    ///   - earlierEnd: The last day of the earlier generation's data; nil where it has no trips.
    ///   - walk: What both generations are walked through with.
    /// - Throws: `MartError` of the file.
    init(
        _ mart: ServedMart,
        since earlier: PlacedGeneration,
        through earlierEnd: CivilDate?,
        _ walk: DifferenceWalk
    ) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        contents = try mart.files().map(\.contentHash)
        self.earlier = earlier
        self.earlierEnd = earlierEnd
        (edits, pairs, standings) = (walk.edits, walk.pairs, walk.standings)
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
    /// - Returns: The trips of each cause.
    /// - Throws: `MartError` where a trip is of no file.
    func moves(_ batch: StoredTrips.Batch) throws(MartError) -> [DifferenceMove] {
        guard Int(batch.fileNumbers.max() ?? 0) <= contents.count else { throw mart.damaged }
        var moves = edits.causes.map { _ in DifferenceMove() }
        let numbers = UInt32(batch.firstNumber)
        let placed = standings.placed(Decided(batch.trips, mart.shape, rules))
        let pickups = batch.trips.columns[mart.shape.pickupIndex].integers.values
        for row in placed.standings.indices {
            let (number, after) = (numbers + UInt32(row), placed[row])
            let partner = pairs.first[Int(number) - 1]
            guard partner != TripPairs.none else {
                let day = CivilTime.date(ofSeconds: pickups[row])
                let isLate = earlierEnd.map { day <= $0 } ?? false
                moves[edits.place(of: isLate ? .late : .new)]
                    .add(PlacedTrip.absent, after, number: number)
                continue
            }
            let place = earlier.place(of: partner)
            let before = place.part.placed[place.row]
            guard before != after else { continue }
            let record = earlier.record(of: place)
            let isSame =
                record.number == batch.trips.recordNumbers[row]
                && record.content == contents[Int(batch.fileNumbers[row]) - 1]
            moves[edits.place(of: isSame ? .remainder : .corrected)]
                .add(before, after, number: number)
        }
        return moves
    }
}
