public import TripDomain

/// The rows a lookup found for the trips of a batch.
public struct MatchedRows: Sendable {
    /// The row of the reference table per trip; 0 where none held.
    public var rows: [UInt32]
    /// How many rows held per trip; empty for a lookup of which at most one can.
    public var counts: [Int64]
    /// The number of trips whose keys are all present.
    public var keyed: Int64 = 0
    /// The number of keyed trips for which no row held.
    public var unmatched: Int64 = 0

    /// Gathers what a lookup found.
    ///
    /// - Parameters:
    ///   - rows: The row of the reference table per trip; 0 where none held.
    ///   - counts: How many rows held per trip; empty where at most one can.
    public init(rows: [UInt32], counts: [Int64] = []) {
        self.rows = rows
        self.counts = counts
    }
}

/// What programs read for one batch of trips.
public struct Frame: Sendable {
    /// The number of trips.
    public let rowCount: Int
    /// One column per column of the scope, in its order.
    ///
    /// Dates and time stamps are stored as days and seconds, and become text only where a program
    /// reads them as text. Columns that no program reads may be empty.
    public var columns: [Column]
    /// What each lookup of the scope found, in its order.
    public var matches: [MatchedRows]

    /// Gathers the inputs of one batch.
    ///
    /// - Parameters:
    ///   - rowCount: The number of trips.
    ///   - columns: One column per column of the scope.
    ///   - matches: What each lookup of the scope found.
    public init(rowCount: Int, columns: [Column], matches: [MatchedRows] = []) {
        self.rowCount = rowCount
        self.columns = columns
        self.matches = matches
    }
}
