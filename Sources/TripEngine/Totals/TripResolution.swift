public import TripDomain

/// The order of the versions of a trip, where it is not the order of their files.
public struct VersionOrder: Sendable {
    /// Per file of the run, the source it belongs to.
    public let sourceOfFile: [Int]
    /// Per source, the text column its versions are ordered by; nil where the files' order decides.
    public let orderColumns: [Int?]

    /// Describes the order of the versions of each source.
    ///
    /// - Parameters:
    ///   - sourceOfFile: Per file of the run, the source it belongs to.
    ///   - orderColumns: Per source, the text column its versions are ordered by.
    public init(sourceOfFile: [Int], orderColumns: [Int?]) {
        self.sourceOfFile = sourceOfFile
        self.orderColumns = orderColumns
    }

    /// The files' order alone.
    public static let byFile = VersionOrder(sourceOfFile: [], orderColumns: [])

    /// The source of a file that orders its versions by a column, and that column.
    func ordering(ofFile file: Int) -> (source: Int, column: Int)? {
        guard sourceOfFile.indices.contains(file) else { return nil }
        let source = sourceOfFile[file]
        return orderColumns[source].map { (source, $0) }
    }
}

/// Decides, per trip id, which of its valid versions is accepted.
///
/// Versions are read in order of exports. Each sequence of consecutive equal versions collapses to
/// its first. The first of the last sequence is accepted, the firsts of earlier sequences are
/// superseded, and all others are duplicates. Two versions are equal when the values of all
/// declared fields are.
public struct TripResolution: Sendable {
    /// The trips whose version is accepted.
    public let accepted: AcceptedTrips
    /// The versions that are not accepted, with their term, by trip id, then order of exports.
    public let setAside: [(position: TripPosition, term: LedgerTerm)]
    /// The first record, in order of exports, whose trip id occurred before, and the earlier
    /// record; nil where every id occurs once.
    public let firstRepetition: (earlier: TripPosition, later: TripPosition)?
    private let batches: [PackedBatch]
    private let shape: TripShape

    /// Resolves all versions of all trips.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, in order of exports.
    ///   - shape: Their columns.
    ///   - order: The order of versions that takes precedence over that of their files.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Precondition: There are fewer than 2³² versions.
    /// - Complexity: O(*n*) in the versions, 8 bytes for each, twice; O(*m* log *m*) in the
    ///   versions of trips that have several, at most 64 bytes for each.
    public init(
        batches: [PackedBatch],
        shape: TripShape,
        order: VersionOrder = .byFile,
        threadCount: Int
    ) {
        let comparer = VersionComparer(batches: batches, shape: shape, order: order)
        let repeated = RepeatedTrips(batches: batches, tripIDIndex: shape.tripIDIndex)
        let groups = repeated.groups(threadCount: threadCount)
        firstRepetition = Self.firstRepetition(of: groups)
        setAside = Self.setAside(of: groups, comparer, threadCount: threadCount)
        accepted = AcceptedTrips(of: batches, leavingOut: setAside.lazy.map(\.position))
        self.batches = batches
        self.shape = shape
    }

    private static func firstRepetition(
        of groups: RepeatedGroups
    ) -> (earlier: TripPosition, later: TripPosition)? {
        (0..<groups.count).lazy.map { index in
            let positions = groups[index]
            let first = positions.startIndex
            return (earlier: positions[first], later: positions[first + 1])
        }.min {
            ($0.later.batch, $0.later.row) < ($1.later.batch, $1.later.row)
        }
    }

    /// The versions that are not accepted of each trip, trip by trip.
    private static func setAside(
        of groups: RepeatedGroups,
        _ comparer: VersionComparer,
        threadCount: Int
    ) -> [(position: TripPosition, term: LedgerTerm)] {
        // Enough pieces that no thread waits long for another.
        let pieceCount = 64
        return Parallel.map(pieceCount, threads: threadCount) { piece in
            let start = groups.count * piece / pieceCount
            let end = groups.count * (piece + 1) / pieceCount
            return (start..<end).flatMap { comparer.setAside(of: groups[$0]) }
        }.flatMap { $0 }
    }

    /// The accepted trips by local pick-up time, then by trip id.
    ///
    /// - Parameter threadCount: Threads to use; the result does not depend on it.
    /// - Returns: Their positions.
    /// - Complexity: O(*n* log *n*) in the trips; 8 bytes for each.
    public func storedOrder(threadCount: Int) -> [TripPosition] {
        StoredOrder(batches: batches, shape: shape, accepted: accepted)
            .positions(threadCount: threadCount)
    }
}
