import TripDomain
import TripEngine
import TripMart

/// The trips of the later of two generations: which are new, late or corrected, and the remainder.
struct LaterGenerationTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let contents: [String]
    private let areInForce: [Bool]
    /// For each of its files, by number less one, whether its lines are joined with those of
    /// others.
    private let areJoined: [Bool]
    private let earlier: GenerationContributions
    /// The last day of the earlier generation's data; nil where it has no trips.
    private let earlierEnd: CivilDate?
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let cellKeys: KPICellKeys

    /// - Parameters:
    ///   - mart: The later generation.
    ///   - first: The earlier one.
    ///   - earlier: The contributions of its trips after the edits.
    ///   - walk: The data that both passes share.
    /// - Throws: `MartError` of the files.
    init(
        _ mart: ServedMart,
        since first: ServedMart,
        _ earlier: GenerationContributions,
        _ walk: DifferencePasses
    ) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        contents = try mart.files().map(\.contentHash)
        self.earlier = earlier
        earlierEnd = first.header.dataThrough
        areInForce = try mart.areInForce(in: first, but: walk.edits.joiningSources)
        let joining = walk.edits.joiningSources
        areJoined = try mart.files().map { joining.contains($0.source) }
        (edits, pairs, cellKeys) = (walk.edits, walk.pairs, walk.cellKeys)
    }

    /// The stored trips, with the columns that are needed.
    func stored(_ leavesOfBatch: Int) throws(MartError) -> StoredTrips {
        try StoredTrips(
            mart,
            columns: mart.shape.columnsOfKPIs,
            readsOrigins: true,
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Compares the trips of one batch.
    ///
    /// - Parameter batch: The trips.
    /// - Returns: Their contributions, and the trips of each cause.
    /// - Throws: `MartError` where a trip belongs to no file.
    func moves(
        _ batch: StoredTrips.Batch
    ) throws(MartError) -> ([UInt32: TripSums], [DifferenceMove]) {
        guard Int(batch.fileNumbers.max() ?? 0) <= contents.count else { throw mart.damaged }
        var moves = edits.causes.map { _ in DifferenceMove() }
        let (contributions, sums) = cellKeys.summed(ClassifiedTrips(batch.trips, mart.shape, rules))
        let pickups = batch.trips.columns[mart.shape.pickupIndex].integers.values
        for row in contributions.cellKeys.indices {
            let number = UInt32(batch.firstNumber) + UInt32(row)
            let file = Int(batch.fileNumbers[row]) - 1
            let partner = pairs.first[Int(number) - 1]
            let (before, cause): (TripContribution, DifferenceCause.Kind)
            if partner == TripPairs.none {
                let day = CivilTime.date(ofSeconds: pickups[row])
                let isLate = earlierEnd.map { day <= $0 } ?? false
                // Of a content that both use, the earlier generation reads other values.
                cause = areInForce[file] ? .remainder : isLate ? .late : .new
                before = TripContribution.absent
            } else {
                let position = earlier.position(of: partner)
                before = position.part.contributions[position.row]
                guard before != contributions[row] else { continue }
                let record = earlier.record(of: position)
                let isSame =
                    record.number == batch.trips.recordNumbers[row]
                    && record.content == contents[file] && !areJoined[file]
                cause = isSame ? .remainder : .corrected
            }
            moves[edits.index(of: cause)].add(
                before,
                contributions[row],
                DifferenceMove.Sample(isOfEarlier: false, number: number)
            )
        }
        return (sums, moves)
    }
}
