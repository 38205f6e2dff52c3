public import TripDomain

/// What tells which of two versions of a trip is later, where it is not their files' order.
public struct VersionOrder: Sendable {
    /// Per file of the run, the source it belongs to.
    public let sourceOfFile: [Int]
    /// Per source, the text column its versions are ordered by; nil where the files' order decides.
    public let orderColumns: [Int?]

    /// Names what orders the versions of each source.
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
/// Versions are taken in order of exports. Each run of consecutive equal versions collapses to its
/// first; the first of the last run is accepted, the firsts of earlier runs are superseded, all
/// others are duplicates. Equal means that every declared field is equal, compared on values.
public struct TripResolution: Sendable {
    /// The trips whose version is accepted.
    public let accepted: AcceptedTrips
    /// The versions that are not accepted, with their term, by trip id, then order of exports.
    public let setAside: [(place: TripPlace, term: LedgerTerm)]
    /// The first record whose trip id an earlier one has, in order of exports, and that earlier one; nil
    /// where every id occurs once.
    public let firstRepetition: (earlier: TripPlace, later: TripPlace)?
    private let batches: [PackedBatch]
    private let shape: TripShape

    /// Resolves all versions of all trips.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, in order of exports.
    ///   - shape: Their columns.
    ///   - order: What tells which of two versions is later, before their files do.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Precondition: There are fewer than 2³² versions.
    /// - Complexity: O(*n*) in the versions, 8 bytes for each, twice; O(*m* log *m*) in those of trips that
    ///   have several, 64 bytes for each at the most.
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
        accepted = AcceptedTrips(of: batches, leavingOut: setAside.lazy.map(\.place))
        self.batches = batches
        self.shape = shape
    }

    private static func firstRepetition(
        of groups: RepeatedGroups
    ) -> (earlier: TripPlace, later: TripPlace)? {
        (0..<groups.count).lazy.map { index in
            let places = groups[index]
            return (earlier: places[places.startIndex], later: places[places.startIndex + 1])
        }.min {
            ($0.later.batch, $0.later.row) < ($1.later.batch, $1.later.row)
        }
    }

    /// The versions that are not accepted of each trip, trip by trip.
    private static func setAside(
        of groups: RepeatedGroups,
        _ comparer: VersionComparer,
        threadCount: Int
    ) -> [(place: TripPlace, term: LedgerTerm)] {
        // So many that no thread waits long for another.
        let pieceCount = 64
        return ParallelWork.map(count: pieceCount, threadCount: threadCount) { piece in
            let start = groups.count * piece / pieceCount
            let end = groups.count * (piece + 1) / pieceCount
            return (start..<end).flatMap { comparer.setAside(of: groups[$0]) }
        }.flatMap { $0 }
    }

    /// The accepted trips by local pick-up time, then by trip id.
    ///
    /// - Parameter threadCount: Threads to use; the result does not depend on it.
    /// - Returns: Their places.
    /// - Complexity: O(*n* log *n*) in the trips; 8 bytes for each.
    public func storedOrder(threadCount: Int) -> [TripPlace] {
        StoredOrder(batches: batches, shape: shape, accepted: accepted)
            .places(threadCount: threadCount)
    }
}
