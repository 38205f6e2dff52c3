import TripDomain
import TripEngine
import TripMart
import TripRules

/// The trips of the earlier of two generations: the effect of the edits on them, and which are
/// withdrawn.
struct EarlierGenerationTrips: Sendable {
    private let mart: ServedMart
    private let rules: [RuleEntry]
    private let edits: PublishedEdits
    private let pairs: TripPairs
    private let cellKeys: KPICellKeys
    /// For each of its files, by number less one, whether the later generation uses the same
    /// content, whose records decide alone.
    private let areInForce: [Bool]

    /// - Parameters:
    ///   - mart: The earlier generation.
    ///   - later: The later one.
    ///   - walk: The data that both passes share.
    /// - Throws: `MartError` of the files.
    init(_ mart: ServedMart, _ later: ServedMart, _ walk: DifferencePasses) throws(MartError) {
        self.mart = mart
        rules = try mart.rules()
        areInForce = try mart.areInForce(in: later, but: walk.edits.joiningSources)
        (edits, pairs, cellKeys) = (walk.edits, walk.pairs, walk.cellKeys)
    }

    /// The stored trips, with the columns that are needed.
    func stored(_ leavesOfBatch: Int) throws(MartError) -> StoredTrips {
        try StoredTrips(
            mart,
            columns: mart.shape.columnsOfKPIs.union(edits.fieldsRead),
            readsOrigins: true,
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Compares the trips of one batch.
    ///
    /// - Parameter batch: The trips.
    /// - Returns: Their contributions after the later generation's edits, and the trips of each
    ///   cause.
    /// - Throws: `MartError` where a trip belongs to no file.
    func moves(
        _ batch: StoredTrips.Batch
    ) throws(MartError) -> (GenerationContributions.Part, [DifferenceMove]) {
        guard Int(batch.fileNumbers.max() ?? 0) <= areInForce.count else { throw mart.damaged }
        var moves = edits.causes.map { _ in DifferenceMove() }
        func sample(_ row: Int) -> DifferenceMove.Sample {
            DifferenceMove.Sample(
                isOfEarlier: true,
                number: UInt32(batch.firstNumber) + UInt32(row)
            )
        }
        let stored = ClassifiedTrips(batch.trips, mart.shape, rules)
        let (before, sums) = cellKeys.summed(stored)
        var after = before
        if let single = edits.single {
            let (outcome, reached) = edits.classifier.reclassify(
                batch.trips,
                reachedBy: single.reach
            )
            after = cellKeys.contributions(
                ClassifiedTrips(outcome.batch, edits.classifier.shape, edits.classifier.rules)
            )
            // One edit reaches the trips that it moves.
            let rows =
                single.classifiers.isEmpty
                ? before.cellKeys.indices.filter { before[$0] != after[$0] } : reached
            let found = single.moves(
                of: batch.trips.gathered(rows),
                from: rows.map { before[$0] },
                to: rows.map { after[$0] },
                samples: rows.map(sample),
                cellKeys
            )
            for (cause, move) in found.enumerated() { moves[cause] += move }
        }
        for row in after.cellKeys.indices
        where pairs.second[Int(batch.firstNumber) + row - 1] == TripPairs.none {
            // Of a content that both use, the later generation reads other values.
            let isRead = areInForce[Int(batch.fileNumbers[row]) - 1]
            moves[edits.index(of: isRead ? .remainder : .withdrawn)]
                .add(after[row], TripContribution.absent, sample(row))
        }
        let part = GenerationContributions.Part(
            firstNumber: batch.firstNumber,
            contributions: after,
            stored: sums,
            fileNumbers: batch.fileNumbers,
            recordNumbers: batch.trips.recordNumbers
        )
        return (part, moves)
    }
}

/// The contributions of all trips of a generation, with the records they come from.
struct GenerationContributions: Sendable {
    /// The trips of one batch.
    struct Part: Sendable {
        let firstNumber: Int64
        let contributions: TripContributions
        /// The sums of the contributions as stored.
        let stored: [UInt32: TripSums]
        let fileNumbers: [UInt32]
        let recordNumbers: [UInt32]
    }

    private let parts: [Part]
    /// The content hashes of the files, by number less one.
    private let contents: [String]

    /// - Parameters:
    ///   - parts: The trips, in order.
    ///   - mart: The generation.
    /// - Throws: `MartError` where trips are missing; of the file.
    init(_ parts: [Part], of mart: ServedMart) throws(MartError) {
        var next: Int64 = 1
        for part in parts where !part.contributions.cellKeys.isEmpty {
            guard part.firstNumber == next else { throw mart.damaged }
            next += Int64(part.contributions.cellKeys.count)
        }
        self.parts = parts
        contents = try mart.files().map(\.contentHash)
    }

    /// The sums of the contributions of all trips as stored.
    var stored: [UInt32: TripSums] {
        parts.reduce(into: [:]) { $0.merge($1.stored) { $0 + $1 } }
    }

    /// The position of a trip among the batches.
    func position(of number: UInt32) -> (part: Part, row: Int) {
        let part = parts[parts.partitioningIndex { $0.firstNumber > Int64(number) } - 1]
        return (part, Int(Int64(number) - part.firstNumber))
    }

    /// The record of a trip: the content hash of its file, and the record's number in it.
    func record(of position: (part: Part, row: Int)) -> (content: String, number: UInt32) {
        let file = position.part.fileNumbers[position.row]
        return (contents[Int(file) - 1], position.part.recordNumbers[position.row])
    }
}

extension ServedMart {
    /// For each file, by number less one, whether its records decide alone what is read of them,
    /// and another generation uses a file of the same content.
    ///
    /// - Parameters:
    ///   - other: The other generation.
    ///   - joining: The sources whose records are joined with those of other files.
    /// - Returns: One value per file.
    /// - Throws: `MartError` of the files.
    func areInForce(
        in other: ServedMart,
        but joining: Set<String>
    ) throws(MartError) -> [Bool] {
        let standing = Set(try other.files().filter { $0.status == .current }.map(\.contentHash))
        return try files().map {
            standing.contains($0.contentHash) && !joining.contains($0.source)
        }
    }
}

extension TripShape {
    /// The columns that determine what a trip contributes to the KPIs.
    var columnsOfKPIs: Set<Int> {
        Set(
            [regionIndex, tripTypeIndex, pickupIndex] + [costIndex, milesIndex].compactMap(\.self)
        )
    }
}
