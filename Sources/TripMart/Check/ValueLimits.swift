import TripDomain

/// Reads numbers of a file that may be damaged.
///
/// A number that no run can have written is refused before it is added up or used as a day.
enum ValueLimits {
    /// The limit of a sum: more than the amounts of all trips that fit in a file add up to.
    private static let sumLimit: Int64 = 1_000_000_000_000_000_000
    /// The years 0 to 9999, in seconds since 1970.
    private static let times: Range<Int64> = -62_167_219_200..<253_402_300_800

    /// Whether a value is a local time in seconds.
    @inline(__always)
    static func isTime(_ seconds: Int64) -> Bool { times.contains(seconds) }

    /// Whether a value can be the cents or the hundredths of a mile of one trip.
    @inline(__always)
    static func isAmount(_ value: Int64) -> Bool {
        value.magnitude <= SumLimit.tripAmountMax.magnitude
    }

    /// Reads a number of items, or the cents of many trips.
    static func sum(_ row: RawStatement, _ column: Int32) throws(MartError) -> Int64 {
        let value = row.integer(column)
        guard value.magnitude < sumLimit.magnitude else { throw damaged(row) }
        return value
    }

    private static func damaged(_ row: RawStatement) -> MartError {
        MartError(
            .damaged,
            file: row.path,
            remedy: "The file holds a number that no run writes. Check disk and memory, then run "
                + "again. The previous generation stays in service."
        )
    }
}
