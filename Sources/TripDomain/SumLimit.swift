/// What the numbers of a cube may add up to, so that no sum of any of its cells, and no ratio of such sums, is too large for
/// an integer: it would end the program.
///
/// Nothing that is true comes near: 90,000,000,000,000 trips, and 90 trillion dollars or miles, each counted in every total it is
/// part of. More is a fault of the exports, where a cube is made, or of the file, where it is read.
public enum SumLimit {
    /// A percentage multiplies a sum of two counts by 20,000, and adds three.
    private static let countMax = Int64.max.magnitude / 100_000
    /// A cost per mile multiplies an amount by 200, and adds another.
    private static let amountMax = Int64.max.magnitude / 1_000

    /// Whether cells are within it.
    ///
    /// - Parameter cells: What they add up to.
    /// - Returns: Whether no number of all of them together is larger, each taken without its sign.
    /// - Complexity: O(*n*).
    public static func allows(_ cells: some Sequence<KPISums>) -> Bool {
        allows(cells.lazy.map { (counts: $0.counts, amounts: $0.amounts) })
    }

    /// Whether rows are within it.
    ///
    /// - Parameter rows: How many trips each has, and what they cost or how far they went, as many of both in each.
    /// - Returns: Whether no number of all of them together is larger, each taken without its sign.
    /// - Complexity: O(*n*).
    public static func allows(_ rows: some Sequence<(counts: [Int64], amounts: [Int64])>) -> Bool {
        var (counts, amounts) = ([UInt64](), [UInt64]())
        return rows.allSatisfy { row in
            add(row.counts, to: &counts, upTo: countMax)
                && add(row.amounts, to: &amounts, upTo: amountMax)
        }
    }

    private static func add(
        _ values: [Int64],
        to sums: inout [UInt64],
        upTo most: UInt64
    ) -> Bool {
        if sums.isEmpty { sums = values.map { _ in 0 } }
        for (index, value) in values.enumerated() {
            let (sum, isTooLarge) = sums[index].addingReportingOverflow(value.magnitude)
            guard !isTooLarge, sum <= most else { return false }
            sums[index] = sum
        }
        return true
    }
}

extension KPISums {
    /// All that counts trips.
    fileprivate var counts: [Int64] {
        [
            trips, inHouseTrips, contractedTrips, undeterminedTrips, inHouseCostedTrips,
            contractedCostedTrips, undeterminedCostedTrips, milesKnownTrips, costedMilesTrips,
        ]
    }

    /// All that adds up what they cost and how far they went.
    fileprivate var amounts: [Int64] {
        [
            costCents, inHouseCostCents, contractedCostCents, undeterminedCostCents,
            loadedMilesHundredths, costWithMilesCents, costedMilesHundredths,
        ]
    }
}
