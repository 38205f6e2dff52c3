import TripDomain

/// Reads numbers of a file that may be damaged: what no run can have written is refused, before it
/// is added up or taken for a day.
enum Plausible {
    /// Nine digits of dollars or miles in hundredths: more than a field accepts.
    private static let amountLimit: Int64 = 100_000_000_000
    /// What the amounts of all trips a file can hold add up to.
    private static let sumLimit: Int64 = 1_000_000_000_000_000_000
    /// The years 0 to 9999.
    private static let times: Range<Int64> = -62_167_219_200..<253_402_300_800

    /// A local time in seconds.
    static func seconds(_ row: RawStatement, _ column: Int32) throws(MartError) -> Int64 {
        let value = row.integer(column)
        guard times.contains(value) else { throw damaged(row) }
        return value
    }

    /// The cents or the hundredths of one trip.
    static func amount(_ row: RawStatement, _ column: Int32) throws(MartError) -> Int64 {
        try limited(row, column, amountLimit)
    }

    /// A number of items, or cents of many trips.
    static func sum(_ row: RawStatement, _ column: Int32) throws(MartError) -> Int64 {
        try limited(row, column, sumLimit)
    }

    private static func limited(
        _ row: RawStatement,
        _ column: Int32,
        _ limit: Int64
    ) throws(MartError) -> Int64 {
        let value = row.integer(column)
        guard value.magnitude < limit.magnitude else { throw damaged(row) }
        return value
    }

    private static func damaged(_ row: RawStatement) -> MartError {
        MartError(
            .damaged,
            file: row.path,
            remedy: "The file holds a number that no run writes. Check disk and memory, then run "
                + "again. What was served stays served."
        )
    }
}
