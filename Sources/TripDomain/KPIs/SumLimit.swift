/// The greatest totals that a cube may hold.
///
/// Within it no sum of cells, and no ratio of such sums, overflows an integer, which would stop the
/// program. True data stays far below: the limit is 90,000,000,000,000 trips and 90 trillion
/// dollars or miles, each counted in every total it is part of. A greater total is a fault of the
/// exports, where a cube is made, or of the file, where it is read.
public enum SumLimit {
    /// The greatest amount of one trip, without its sign, which the totals rest on: cents or
    /// hundredths of a mile with nine digits before the point.
    @inlinable public static var tripAmountMax: Int64 { 99_999_999_999 }
    /// A percentage multiplies a sum of two counts by 20,000, and adds three.
    @usableFromInline static let countMax = Int64.max.magnitude / 100_000
    /// A cost per mile multiplies an amount by 200, and adds another.
    @usableFromInline static let amountMax = Int64.max.magnitude / 1_000

    /// Whether cells are within the limit.
    ///
    /// - Parameter cells: The sums of the cells.
    /// - Returns: Whether the largest counts of all cells, and their largest amounts, add up to no
    ///   more than the limit, all taken without their signs.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func allows(_ cells: some Collection<KPISums>) -> Bool {
        fits(cells.lazy.map(\.largestCount), most: countMax)
            && fits(cells.lazy.map(\.largestAmount), most: amountMax)
    }

    /// Whether cells that are split by class and basis are within the limit.
    ///
    /// - Parameter cells: The parts, which are checked one by one: two costs of different signs
    ///   have a smaller sum than each of them.
    /// - Returns: Whether the larger counts of all parts, and their costs, add up to no more than
    ///   the limit, all taken without their signs.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func allows(_ cells: some Collection<BasisCell>) -> Bool {
        fits(
            cells.lazy.map { max($0.sums.trips.magnitude, $0.sums.costedTrips.magnitude) },
            most: countMax
        ) && fits(cells.lazy.map(\.sums.costCents.magnitude), most: amountMax)
    }

    /// Whether the sums of a declared measure are within the limit.
    ///
    /// - Parameter sums: The sums of all trips, whose values were added up without their signs.
    /// - Returns: Whether their number and their sum are no more than the limit.
    public static func allows(_ sums: MeasureSums) -> Bool {
        sums.knownTrips.magnitude <= countMax && sums.sum.magnitude <= amountMax
    }

    /// Whether numbers can be added up.
    ///
    /// - Parameters:
    ///   - numbers: The numbers, without their signs.
    ///   - most: The greatest sum allowed; by default the greatest integer of 64 bits.
    /// - Returns: Whether their sum is no greater.
    /// - Complexity: O(*n*); allocates nothing.
    @inlinable public static func fits(
        _ numbers: some Sequence<UInt64>,
        most: UInt64 = Int64.max.magnitude
    ) -> Bool {
        var sum: UInt64 = 0
        for number in numbers {
            // Neither operand exceeds 63 bits, so the addition cannot overflow.
            guard number <= most, sum + number <= most else { return false }
            sum += number
        }
        return true
    }
}

extension KPISums {
    /// The largest count of trips, without its sign.
    @usableFromInline var largestCount: UInt64 { largest(KPISum.counts) }

    /// The largest sum of costs or miles, without its sign.
    @usableFromInline var largestAmount: UInt64 { largest(KPISum.amounts) }

    private func largest(_ sums: [KPISum]) -> UInt64 {
        sums.reduce(0) { max($0, self[$1].magnitude) }
    }
}

extension KPISum {
    fileprivate static let counts = allCases.filter { $0.measure.unit == .trips }
    fileprivate static let amounts = allCases.filter { $0.measure.unit != .trips }
}

/// The amounts of the exports cannot be added up within ``SumLimit``, or what a pipeline declares
/// has too many groups or a value that answers cannot show.
public struct SumOverflow: Error, Sendable {
    /// What is too large, in one short clause.
    public let summary: String
    /// What was found, and what is published at most.
    public let finding: String
    /// What the operator should do.
    public let remedy: String

    /// Describes amounts that are too large.
    public init() {
        summary = "overflow"
        finding =
            "The costs or the miles of the counted trips cannot be added up: their sums are more "
            + "than 9 quadrillion."
        remedy = "Check the amounts of the exports: their sum is too large to be true."
    }

    /// Describes a declared measure or dimension with too many groups.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - most: How many groups are published at most.
    public init(groupsOf name: String, most: Int) {
        summary = "too many groups"
        finding =
            "`\(name)` of `kpis` has more than \(Counted.number(Int64(most))) groups of month, "
            + "trip type, region, class, basis and value; that many are published at most."
        remedy =
            "Name a field of fewer values, such as a derived one that rounds it; or leave it out."
    }

    /// Describes a declared measure whose values are too large.
    ///
    /// - Parameter name: Its name.
    public init(valuesOf name: String) {
        summary = "overflow"
        finding =
            "The values of the measure `\(name)` of `kpis` cannot be added up: without their signs "
            + "they are more than 9 quadrillion."
        remedy = "Check its field in the exports: the sum is too large to be true."
    }

    /// Describes a declared dimension that holds the word of totals.
    ///
    /// - Parameter name: Its name.
    public init(reservedWordIn name: String) {
        summary = "a reserved word"
        finding =
            "The dimension `\(name)` of `kpis` has the value `\(KPICell.all)`, which stands for the "
            + "sum of all."
        remedy = "Give it another word: with `values` of the field, or in a derived field."
    }
}
