public import TripDomain

/// Some of a generation's trips, classified again.
public struct RevisedBatch: Sendable {
    /// The number of trips.
    let count: Int
    /// The number of the rule that decides each trip; 0 where none does.
    let ruleNumbers: PackedIntegers
    /// 1 where the trip counts, else 0.
    let counted: PackedIntegers
    /// The codes of the base generation that the trips' fields use, some of them more than once.
    let usedCodes: [UInt32]
    /// The number of trips of each status.
    let statuses: [ReconciliationKey: Int64]
    private let columns: [Int: PackedColumn]

    /// Packs the columns of reclassified trips that a generation stores.
    ///
    /// - Parameters:
    ///   - stored: The trips as the base generation stores them.
    ///   - decided: The same trips, classified.
    ///   - shape: Their columns.
    /// - Complexity: O(*n*) in the trips for each derived column.
    public init(_ stored: StoredTrips.Batch, _ decided: TripBatch, shape: TripShape) {
        count = decided.count
        usedCodes = stored.usedCodes
        ruleNumbers = PackedIntegers(decided.ruleNumbers)
        counted = PackedIntegers(decided.counted.map { $0 ? UInt8(1) : 0 })
        let wanted = shape.columns.indices.filter { shape.columns[$0].isDerived }
        let dimensions = [shape.tripTypeIndex, shape.regionIndex]
        columns = Dictionary(
            uniqueKeysWithValues: Set(wanted + dimensions).map {
                ($0, PackedColumn(decided.columns[$0]))
            }
        )
        statuses = Reconciliation.counts(of: decided, shape: shape)
    }

    /// The columns whose texts come from the new classification: the derived ones, the trip type
    /// and the region.
    static func textColumns(of shape: TripShape) -> [Int] {
        shape.columns.indices.filter { index in
            shape.columns[index].kind == .text
                && (shape.columns[index].isDerived || index == shape.tripTypeIndex
                    || index == shape.regionIndex)
        }
    }

    /// A derived column, the trip types or the regions.
    func column(_ index: Int) -> PackedColumn {
        guard let column = columns[index] else {
            preconditionFailure("derived columns and dimensions are kept")
        }
        return column
    }
}

/// A generation with the trips of another one, classified again.
///
/// The exported fields of a trip do not change with the rules: fields, sealed patients, the index
/// of the trip ids, older versions and rejects are copied, and nothing is read or sealed again.
public struct GenerationRevision: Sendable {
    /// The header, the inputs and the totals.
    let summary: GenerationSummary
    /// The columns of a trip: the fields of the base generation, and the columns derived now.
    let shape: TripShape
    /// The trips of the other generation.
    let stored: StoredTrips
    /// The classifications, in stored order.
    let batches: [RevisedBatch]

    /// Gathers the parts of one generation.
    ///
    /// - Parameters:
    ///   - stored: The trips of the base generation.
    ///   - summary: The header, the inputs and the totals of the new generation.
    ///   - shape: The columns of a trip.
    ///   - batches: The classifications: as many batches as `stored` has, of the same trips.
    public init(
        of stored: StoredTrips,
        summary: GenerationSummary,
        shape: TripShape,
        batches: [RevisedBatch]
    ) {
        precondition(batches.count == stored.batchCount, "every batch was decided")
        self.stored = stored
        self.summary = summary
        self.shape = shape
        self.batches = batches
    }

    /// The number of trips.
    public var tripCount: Int { batches.reduce(0) { $0 + $1.count } }

    /// All trips in stored order: batch by batch.
    ///
    /// - Complexity: O(*n*) in the trips; 8 bytes of memory for each.
    func positions(threads: Int) -> [TripPosition] {
        let starts = batches.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        // Each batch fills the positions of its own trips, and all are filled before the array is
        // used.
        return [TripPosition](unsafeUninitializedCapacity: tripCount) { positions, filled in
            nonisolated(unsafe) let positions = positions
            Parallel.forEachSlice(of: batches.count, threads: threads) { _, batches in
                for batch in batches {
                    for index in starts[batch]..<starts[batch + 1] {
                        positions.initializeElement(
                            at: index,
                            to: TripPosition(
                                batch: UInt32(batch),
                                row: UInt32(index - starts[batch])
                            )
                        )
                    }
                }
            }
            filled = tripCount
        }
    }

    /// The contents of the small tables; the months are those of the base generation.
    func source() throws(MartError) -> SummarySource {
        SummarySource(
            summary,
            months: try stored.months(),
            bridge: Reconciliation.sorted(
                batches.reduce(into: [:]) { $0.merge($1.statuses, uniquingKeysWith: +) }
            )
        )
    }
}
