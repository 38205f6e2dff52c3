public import TripDomain

/// Which of the trips read stand: all, but for the versions that were set aside.
public struct AcceptedTrips: Sendable {
    /// How many stand.
    public let count: Int
    /// Per batch, which rows do not stand; empty where all do.
    private let isLeftOut: [[Bool]]

    /// Leaves some trips out.
    ///
    /// - Parameters:
    ///   - batches: All valid trips.
    ///   - places: Those that do not stand, each once.
    public init(
        of batches: [PackedBatch],
        leavingOut places: some Collection<TripPlace> = [TripPlace]()
    ) {
        var isLeftOut = [[Bool]](repeating: [], count: batches.count)
        for place in places {
            let batch = Int(place.batch)
            if isLeftOut[batch].isEmpty {
                isLeftOut[batch] = [Bool](repeating: false, count: batches[batch].count)
            }
            isLeftOut[batch][Int(place.row)] = true
        }
        self.isLeftOut = isLeftOut
        count = batches.reduce(0) { $0 + $1.count } - places.count
    }

    /// Which rows of a batch do not stand; empty where all do.
    public func leftOut(batch: Int) -> [Bool] { isLeftOut[batch] }
}

extension [PackedBatch] {
    /// Runs of batches with about the same number of trips.
    ///
    /// - Parameter count: About how many runs.
    /// - Returns: The runs, in order; none without batches.
    func runs(count: Int) -> [Range<Int>] {
        let rowCount = reduce(0) { $0 + $1.count }
        let size = rowCount / Swift.max(1, count) + 1
        var runs: [Range<Int>] = []
        var (start, rows) = (0, 0)
        for batch in indices {
            rows += self[batch].count
            if rows >= size {
                runs.append(start..<batch + 1)
                (start, rows) = (batch + 1, 0)
            }
        }
        if start < self.count { runs.append(start..<self.count) }
        return runs
    }
}
