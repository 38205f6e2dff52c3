/// The accepted trips: all valid trips except the versions that were set aside.
public struct AcceptedTrips: Sendable {
    /// The number of accepted trips.
    public let count: Int
    /// Per batch, which rows are not accepted; empty where all are.
    private let isLeftOut: [[Bool]]

    /// Accepts all trips but some.
    ///
    /// - Parameters:
    ///   - batches: All valid trips.
    ///   - positions: The positions of the trips that are not accepted, each once.
    public init(
        of batches: [PackedBatch],
        leavingOut positions: some Collection<TripPosition> = [TripPosition]()
    ) {
        var isLeftOut = [[Bool]](repeating: [], count: batches.count)
        for position in positions {
            let batch = Int(position.batch)
            if isLeftOut[batch].isEmpty {
                isLeftOut[batch] = [Bool](repeating: false, count: batches[batch].count)
            }
            isLeftOut[batch][Int(position.row)] = true
        }
        self.isLeftOut = isLeftOut
        count = batches.reduce(0) { $0 + $1.count } - positions.count
    }

    /// Which rows of a batch are not accepted; empty where all are.
    public func leftOut(batch: Int) -> [Bool] { isLeftOut[batch] }
}

extension [PackedBatch] {
    /// Ranges of batches with about the same number of trips.
    ///
    /// - Parameter count: The approximate number of ranges.
    /// - Returns: The ranges, in order; empty without batches.
    public func runs(count: Int) -> [Range<Int>] {
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
