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
    public static func allows(_ cells: some Collection<KPISums>) -> Bool {
        fits(cells.lazy.map(\.counts), most: countMax)
            && fits(cells.lazy.map(\.amounts), most: amountMax)
    }

    /// Whether cells that are split by class and basis are within it.
    ///
    /// - Parameter cells: The parts; of two whose costs have different signs, the sum says less than each.
    /// - Returns: Whether no number of all of them together is larger, each taken without its sign.
    /// - Complexity: O(*n*).
    public static func allows(_ cells: some Collection<BasisCell>) -> Bool {
        fits(cells.lazy.map { [$0.trips, $0.costedTrips] }, most: countMax)
            && fits(cells.lazy.map { [$0.costCents] }, most: amountMax)
    }

    /// Whether any of some rows can be added up, number by number.
    ///
    /// - Parameters:
    ///   - rows: As many numbers in each.
    ///   - most: What all of them together may come to; all that an integer holds, unless told.
    /// - Returns: Whether none comes to more, each number taken without its sign.
    /// - Complexity: O(*n*).
    public static func fits(
        _ rows: some Sequence<[Int64]>,
        most: UInt64 = Int64.max.magnitude
    ) -> Bool {
        var sums: [UInt64] = []
        for row in rows {
            if sums.isEmpty { sums = row.map { _ in 0 } }
            for (index, value) in row.enumerated() {
                let (sum, isTooLarge) = sums[index].addingReportingOverflow(value.magnitude)
                guard !isTooLarge, sum <= most else { return false }
                sums[index] = sum
            }
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
