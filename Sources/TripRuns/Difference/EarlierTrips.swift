import TripDomain
import TripEngine
import TripMart

/// The trips of the earlier of two generations: what edits make of them, and which are withdrawn.
struct EarlierTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let places: KPIPlaces
    /// For each of its files, by number less one, whether the later generation stands on the same content.
    private let areStanding: [Bool]

    /// - Parameters:
    ///   - mart: The earlier generation.
    ///   - later: The later one.
    ///   - walk: What both generations are walked through with.
    /// - Throws: `MartError` of the files.
    init(_ mart: ServedMart, _ later: ServedMart, _ walk: DifferenceWalk) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        areStanding = try mart.areStanding(in: later)
        (edits, pairs, places) = (walk.edits, walk.pairs, walk.places)
    }

    /// The trips to look at.
    func stored(_ leavesOfBatch: Int) throws(MartError) -> StoredTrips {
        try StoredTrips(
            mart,
            columns: mart.shape.columnsOfKPIs.union(edits.fieldsRead),
            readsOrigins: true,
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Looks at the trips of one batch.
    ///
    /// - Parameter batch: The trips.
    /// - Returns: What they add as the later generation's edits have them, and the trips of each cause.
    /// - Throws: `MartError` where a trip is of no file.
    func moves(
        _ batch: StoredTrips.Batch
    ) throws(MartError) -> (PlacedGeneration.Part, [DifferenceMove]) {
        guard Int(batch.fileNumbers.max() ?? 0) <= areStanding.count else { throw mart.damaged }
        var moves = edits.causes.map { _ in DifferenceMove() }
        func sample(_ row: Int) -> DifferenceMove.Sample {
            DifferenceMove.Sample(
                isOfEarlier: true,
                number: UInt32(batch.firstNumber) + UInt32(row)
            )
        }
        let stored = Decided(batch.trips, mart.shape, rules)
        let (before, sums) = places.summed(stored)
        var after = before
        if let steps = edits.steps {
            let outcome = edits.classifier.reclassify(batch.trips)
            let planned = Decided(outcome.batch, edits.classifier.shape, edits.classifier.rules)
            after = places.placed(planned)
            let rows = before.places.indices.filter { before[$0] != after[$0] }
            for (place, step) in steps.moves(stored.gathered(rows), planned.gathered(rows)) {
                moves[step].add(before[rows[place]], after[rows[place]], sample(rows[place]))
            }
        }
        for row in after.places.indices
        where pairs.second[Int(batch.firstNumber) + row - 1] == TripPairs.none {
            // What the later generation stands on, and does not have, it reads otherwise.
            let isRead = areStanding[Int(batch.fileNumbers[row]) - 1]
            moves[edits.place(of: isRead ? .remainder : .withdrawn)]
                .add(after[row], PlacedTrip.absent, sample(row))
        }
        let part = PlacedGeneration.Part(
            firstNumber: batch.firstNumber,
            placed: after,
            stored: sums,
            fileNumbers: batch.fileNumbers,
            recordNumbers: batch.trips.recordNumbers
        )
        return (part, moves)
    }
}

/// What all trips of a generation add, with the records they come from.
struct PlacedGeneration: Sendable {
    /// The trips of one batch.
    struct Part: Sendable {
        let firstNumber: Int64
        let placed: PlacedTrips
        /// What they add as they are stored.
        let stored: [UInt32: PlacedSums]
        let fileNumbers: [UInt32]
        let recordNumbers: [UInt32]
    }

    private let parts: [Part]
    /// What the files hold, by number less one.
    private let contents: [String]

    /// - Parameters:
    ///   - parts: The trips, in order.
    ///   - mart: The generation.
    /// - Throws: `MartError` where trips are missing; of the file.
    init(_ parts: [Part], of mart: ServedMart) throws(MartError) {
        var next: Int64 = 1
        for part in parts where !part.placed.places.isEmpty {
            guard part.firstNumber == next else { throw mart.damaged }
            next += Int64(part.placed.places.count)
        }
        self.parts = parts
        contents = try mart.files().map(\.contentHash)
    }

    /// What all trips add as they are stored.
    var stored: [UInt32: PlacedSums] {
        parts.reduce(into: [:]) { $0.merge($1.stored) { $0 + $1 } }
    }

    /// The place of a trip among the batches.
    func place(of number: UInt32) -> (part: Part, row: Int) {
        let part = parts[parts.partitioningIndex { $0.firstNumber > Int64(number) } - 1]
        return (part, Int(Int64(number) - part.firstNumber))
    }

    /// The record of a trip: what its file holds, and the record's number in it.
    func record(of place: (part: Part, row: Int)) -> (content: String, number: UInt32) {
        let file = place.part.fileNumbers[place.row]
        return (contents[Int(file) - 1], place.part.recordNumbers[place.row])
    }
}

extension ServedMart {
    /// For each file, by number less one, whether another generation stands on a file of the same content.
    func areStanding(in other: ServedMart) throws(MartError) -> [Bool] {
        let standing = Set(try other.files().filter { $0.status == .current }.map(\.contentHash))
        return try files().map { standing.contains($0.contentHash) }
    }
}

extension TripShape {
    /// The columns that say what a trip adds to the KPIs.
    var columnsOfKPIs: Set<Int> {
        Set(
            [regionIndex, tripTypeIndex, pickupIndex] + [costIndex, milesIndex].compactMap(\.self)
        )
    }
}
