/// What the numbers of a cube may add up to, so that no sum of any of its cells, and no ratio of such sums, is too large for
/// an integer: it would end the program.
///
/// Nothing that is true comes near: 90,000,000,000,000 trips, and 90 trillion dollars or miles, each counted in every total it is
/// part of. More is a fault of the exports, where a cube is made, or of the file, where it is read.
public enum SumLimit {
    /// A percentage multiplies a sum of two counts by 20,000, and adds three.
    @usableFromInline static let countMax = Int64.max.magnitude / 100_000
    /// A cost per mile multiplies an amount by 200, and adds another.
    @usableFromInline static let amountMax = Int64.max.magnitude / 1_000

    /// Whether cells are within it.
    ///
    /// - Parameter cells: What they add up to.
    /// - Returns: Whether the largest count of each, and the largest amount, come to no more, all taken without their signs.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func allows(_ cells: some Collection<KPISums>) -> Bool {
        fits(cells.lazy.map(\.largestCount), most: countMax)
            && fits(cells.lazy.map(\.largestAmount), most: amountMax)
    }

    /// Whether cells that are split by class and basis are within it.
    ///
    /// - Parameter cells: The parts; of two whose costs have different signs, the sum says less than each.
    /// - Returns: Whether the larger count of each, and the costs, come to no more, all taken without their signs.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func allows(_ cells: some Collection<BasisCell>) -> Bool {
        fits(
            cells.lazy.map { max($0.trips.magnitude, $0.costedTrips.magnitude) },
            most: countMax
        ) && fits(cells.lazy.map(\.costCents.magnitude), most: amountMax)
    }

    /// Whether numbers can be added up.
    ///
    /// - Parameters:
    ///   - numbers: The numbers, without their signs.
    ///   - most: What they may come to; what an integer holds, unless told.
    /// - Returns: Whether they come to no more.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func fits(
        _ numbers: some Sequence<UInt64>,
        most: UInt64 = Int64.max.magnitude
    ) -> Bool {
        var sum: UInt64 = 0
        for number in numbers {
            // Neither leaves 63 bits.
            guard number <= most, sum + number <= most else { return false }
            sum += number
        }
        return true
    }
}

extension KPISums {
    /// The largest of all that counts trips, without its sign.
    @inlinable var largestCount: UInt64 {
        max(
            max(trips.magnitude, inHouseTrips.magnitude, contractedTrips.magnitude),
            max(undeterminedTrips.magnitude, inHouseCostedTrips.magnitude),
            max(contractedCostedTrips.magnitude, undeterminedCostedTrips.magnitude),
            max(milesKnownTrips.magnitude, costedMilesTrips.magnitude)
        )
    }

    /// The largest of all that adds up what they cost and how far they went, without its sign.
    @inlinable var largestAmount: UInt64 {
        max(
            max(costCents.magnitude, inHouseCostCents.magnitude, contractedCostCents.magnitude),
            max(undeterminedCostCents.magnitude, costWithMilesCents.magnitude),
            max(loadedMilesHundredths.magnitude, costedMilesHundredths.magnitude)
        )
    }
}
