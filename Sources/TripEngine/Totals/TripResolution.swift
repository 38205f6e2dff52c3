public import TripDomain

/// Decides, per trip id, which of its valid versions is accepted.
///
/// Versions are taken in order of exports. Each run of consecutive equal versions collapses to its
/// first; the first of the last run is accepted, the firsts of earlier runs are superseded, all
/// others are duplicates. Equal means that every declared field is equal, compared on values.
public struct TripResolution: Sendable {
    /// The accepted trips by local pick-up time, then by trip id.
    public let acceptedOrder: [TripPlace]
    /// The versions that are not accepted, with their term, by trip id, then order of exports.
    public let setAside: [(place: TripPlace, term: LedgerTerm)]

    /// Resolves all versions of all trips.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, in order of exports.
    ///   - shape: Their columns.
    ///   - orderColumn: A text column that tells which of two versions is later, before their
    ///     files do; nil where the files' order decides.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Complexity: O(*n* log *n*) in the versions; 16 bytes for each, twice.
    public init(
        batches: [TripBatch],
        shape: TripShape,
        orderColumn: Int?,
        threadCount: Int
    ) {
        let comparer = VersionComparer(
            batches: batches,
            shape: shape,
            orderColumn: orderColumn
        )
        let partitions = VersionPartitions(batches: batches, tripIDIndex: shape.tripIDIndex)
        let results = ParallelWork.map(
            count: partitions.parts.count,
            threadCount: threadCount
        ) { comparer.resolve(partitions.parts[$0]) }
        acceptedOrder = comparer.sortedByPickup(
            results.flatMap(\.accepted),
            threadCount: threadCount
        )
        setAside = comparer.sortedByTripID(results.flatMap(\.setAside))
    }
}

/// What became of the versions of one partition.
struct PartitionResult: Sendable {
    var accepted: [TripPlace] = []
    var setAside: [(place: TripPlace, term: LedgerTerm)] = []
}

/// One version, ready to be sorted: equal trip ids have equal hashes.
struct HashedPlace: Sendable {
    let hash: UInt64
    let place: TripPlace
}

/// All versions, divided by the hash of their trip id so that parts can be resolved apart.
struct VersionPartitions: Sendable {
    /// Enough for every thread to find work, few enough to stay cheap for small inputs.
    static let partCount = 64

    let parts: [[HashedPlace]]

    init(batches: [TripBatch], tripIDIndex: Int) {
        var parts = [[HashedPlace]](repeating: [], count: Self.partCount)
        let total = batches.reduce(0) { $0 + $1.count }
        for index in parts.indices { parts[index].reserveCapacity(total / Self.partCount * 9 / 8) }
        for (batchIndex, batch) in batches.enumerated() {
            let column = batch.columns[tripIDIndex].texts
            column.pool.bytes.withUnsafeBufferPointer { bytes in
                for (row, code) in column.codes.enumerated() {
                    let range = column.pool.range(code)
                    let hash = textHash(UnsafeBufferPointer(rebasing: bytes[range]))
                    // The low bits choose the part; sorting inside it uses all of them.
                    parts[Int(truncatingIfNeeded: hash) & (Self.partCount - 1)].append(
                        HashedPlace(
                            hash: hash,
                            place: TripPlace(batch: UInt32(batchIndex), row: UInt32(row))
                        )
                    )
                }
            }
        }
        self.parts = parts
    }
}
