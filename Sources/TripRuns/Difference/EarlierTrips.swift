import TripDomain
import TripEngine
import TripMart

/// The trips of the earlier of two generations: what edits make of them, and which are withdrawn.
struct EarlierTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let standings: Standings

    /// - Parameters:
    ///   - mart: The earlier generation.
    ///   - walk: What both generations are walked through with.
    /// - Throws: `MartError` of the file.
    init(_ mart: ServedMart, _ walk: DifferenceWalk) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        (edits, pairs, standings) = (walk.edits, walk.pairs, walk.standings)
    }

    /// The trips to look at.
    func stored(_ leavesOfBatch: Int) throws(MartError) -> StoredTrips {
        var columns = mart.shape.columnsOfKPIs
        for classifier in edits.classifiers { columns.formUnion(classifier.fieldsRead) }
        return try StoredTrips(
            mart,
            columns: columns,
            readsOrigins: true,
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Looks at the trips of one batch.
    ///
    /// - Parameter batch: The trips.
    /// - Returns: What they add as the later generation's edits have them, and the trips of each cause.
    func moves(_ batch: StoredTrips.Batch) -> (PlacedGeneration.Part, [DifferenceMove]) {
        var moves = edits.causes.map { _ in DifferenceMove() }
        let numbers = UInt32(batch.firstNumber)
        let before = standings.placed(Decided(batch.trips, mart.shape, rules))
        var after = before
        if let last = edits.classifiers.last {
            after = placed(batch.trips, last)
            let rows = before.standings.indices.filter { before[$0] != after[$0] }
            let steps = steps(batch.trips.gathered(rows), to: rows.map { after[$0] })
            for (row, step) in zip(rows, steps) {
                moves[step].add(before[row], after[row], number: numbers + UInt32(row))
            }
        }
        for row in after.standings.indices
        where pairs.second[Int(numbers) + row - 1] == TripPairs.none {
            moves[edits.place(of: .withdrawn)]
                .add(after[row], PlacedTrip.absent, number: numbers + UInt32(row))
        }
        let part = PlacedGeneration.Part(
            firstNumber: batch.firstNumber,
            placed: after,
            fileNumbers: batch.fileNumbers,
            recordNumbers: batch.trips.recordNumbers
        )
        return (part, moves)
    }

    /// For each of some trips the edit from which on it stands where the last one has it.
    private func steps(_ trips: TripBatch, to final: [PlacedTrip]) -> [Int] {
        guard !final.isEmpty else { return [] }
        let between = edits.classifiers.dropLast().map { placed(trips, $0) }
        return final.indices.map { row in
            var step = between.count
            while step > 0, between[step - 1][row] == final[row] { step -= 1 }
            return step
        }
    }

    private func placed(_ trips: TripBatch, _ classifier: TripClassifier) -> PlacedTrips {
        standings.placed(
            Decided(classifier.reclassify(trips).batch, classifier.shape, classifier.rules)
        )
    }
}

/// What all trips of a generation add, with the records they come from.
struct PlacedGeneration: Sendable {
    /// The trips of one batch.
    struct Part: Sendable {
        let firstNumber: Int64
        let placed: PlacedTrips
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
        for part in parts where !part.placed.standings.isEmpty {
            guard part.firstNumber == next else { throw mart.damaged }
            next += Int64(part.placed.standings.count)
        }
        self.parts = parts
        contents = try mart.files().map(\.contentHash)
        guard parts.allSatisfy({ Int($0.fileNumbers.max() ?? 0) <= contents.count }) else {
            throw mart.damaged
        }
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

extension TripShape {
    /// The columns that say what a trip adds to the KPIs.
    var columnsOfKPIs: Set<Int> {
        Set(
            [regionIndex, tripTypeIndex, pickupIndex] + [costIndex, milesIndex].compactMap(\.self)
        )
    }
}
