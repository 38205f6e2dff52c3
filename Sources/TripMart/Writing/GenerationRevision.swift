public import TripDomain

/// Some of a generation's trips, decided anew.
public struct RevisedBatch: Sendable {
    /// How many trips.
    let count: Int
    /// The rules that decide them; 0 where none does.
    let ruleNumbers: PackedIntegers
    /// 1 where the trip counts, else 0.
    let counted: PackedIntegers
    /// The codes of the other generation that the trips' fields use, some of them more than once.
    let usedCodes: [UInt32]
    /// How many trips there are of each status.
    let statuses: [BridgeKey: Int64]
    private let columns: [Int: PackedColumn]

    /// Packs what a generation keeps of trips that were decided anew.
    ///
    /// - Parameters:
    ///   - stored: The trips as another generation keeps them.
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
        statuses = Bridge.counts(of: decided, shape: shape)
    }

    /// The columns with texts of their own: what is derived, the trip types and the regions.
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
            preconditionFailure("what is derived is kept, and the dimensions are")
        }
        return column
    }
}

/// A generation with the trips of another one, decided anew.
///
/// What the exports say of a trip does not change with the rules: fields, sealed patients, the index of
/// the trip ids, older versions and rejects are taken over, and nothing is read or sealed again.
public struct GenerationRevision: Sendable {
    /// What it says of itself and of all trips together.
    let summary: GenerationSummary
    /// The columns of a trip: the fields of the other generation, and what is derived now.
    let shape: TripShape
    /// The trips of the other generation.
    let stored: StoredTrips
    /// The decisions, in stored order.
    let batches: [RevisedBatch]

    /// Gathers the parts of one generation.
    ///
    /// - Parameters:
    ///   - stored: The trips of the other generation.
    ///   - summary: What the new one says of itself and of all trips together.
    ///   - shape: The columns of a trip.
    ///   - batches: The decisions: as many batches as `stored` has, of the same trips.
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
    func places(threads: Int) -> [TripPlace] {
        let starts = batches.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        // Each batch fills the places of its own trips, and all are filled before the array is used.
        return [TripPlace](unsafeUninitializedCapacity: tripCount) { places, filled in
            nonisolated(unsafe) let places = places
            Slices.each(batches.count, threads: threads) { _, batches in
                for batch in batches {
                    for place in starts[batch]..<starts[batch + 1] {
                        places.initializeElement(
                            at: place,
                            to: TripPlace(
                                batch: UInt32(batch),
                                row: UInt32(place - starts[batch])
                            )
                        )
                    }
                }
            }
            filled = tripCount
        }
    }

    /// What the small tables are made from: months are those of the other generation.
    func source() throws(MartError) -> SummarySource {
        SummarySource(
            summary,
            months: try stored.months(),
            bridge: Bridge.sorted(
                batches.reduce(into: [:]) { $0.merge($1.statuses, uniquingKeysWith: +) }
            )
        )
    }
}
