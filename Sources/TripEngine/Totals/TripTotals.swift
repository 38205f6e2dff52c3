public import TripDomain

/// What trips add up to where none of them is kept.
///
/// Made of the trips of one slice, and of other totals. All sums are whole numbers, so that neither the
/// cut nor the order of adding changes them.
public struct TripTotals: Sendable {
    /// All trips, counted or not, and their costs: what the ledger calls accepted.
    public private(set) var amount = LedgerAmount()
    private(set) var sums: CellSums
    private var tripTypes = WordNumbers()
    private var regions = WordNumbers()

    /// No trips.
    ///
    /// - Parameter rules: The rules the trips' rule numbers refer to.
    public init(rules: [RuleEntry]) {
        sums = CellSums(grounds: ClassGrounds(rules: rules))
    }

    /// Adds up classified trips, each of which stands.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - shape: Their columns.
    ///   - rules: The rules their rule numbers refer to.
    /// - Complexity: O(*n*) in the trips; memory for the cells they fall into.
    public init(_ batch: TripBatch, shape: TripShape, rules: [RuleEntry]) {
        self.init(rules: rules)
        let needed =
            [shape.tripTypeIndex, shape.regionIndex, shape.pickupIndex]
            + [shape.costIndex, shape.milesIndex].compactMap(\.self)
        let packed = PackedBatch(batch, keepingOnly: Set(needed))
        let view = KPIView(packed, shape: shape)
        sums.add(
            view,
            count: packed.count,
            leavingOut: [],
            tripTypes: tripTypes.numbers(of: packed.columns[shape.tripTypeIndex].texts),
            regions: regions.numbers(of: packed.columns[shape.regionIndex].texts)
        )
        amount.items = Int64(packed.count)
        for row in 0..<packed.count { amount.cents += view.cost?.value(row) ?? 0 }
    }

    /// The sums of all counted trips.
    public var counted: KPISums { sums.total }

    /// The words cells are numbered by.
    var words: DimensionWords {
        DimensionWords(tripTypes: tripTypes.texts, regions: regions.texts)
    }

    /// Adds the totals of other trips.
    ///
    /// - Complexity: O(*n*) in the cells of the other totals.
    public mutating func add(_ other: TripTotals) {
        amount += other.amount
        sums.merge(
            other.sums,
            tripTypes: tripTypes.numbers(of: other.tripTypes),
            regions: regions.numbers(of: other.regions)
        )
    }
}
