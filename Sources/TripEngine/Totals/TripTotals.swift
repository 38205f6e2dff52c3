public import TripDomain

/// The totals of trips that are added up without being kept.
///
/// They are made of the trips of one slice, or of other totals. All sums are whole numbers, so that
/// neither the slices nor the order of adding changes them.
public struct TripTotals: Sendable {
    /// All trips, counted or not, and their costs: what the ledger calls accepted.
    public private(set) var amount = LedgerAmount()
    private(set) var sums: CellSums
    private var tripTypes = TextInterner()
    private var regions = TextInterner()

    /// No trips.
    ///
    /// - Parameter rules: The rules the trips' rule numbers refer to.
    public init(rules: [RuleEntry]) {
        sums = CellSums(classTable: ClassAndBasisTable(rules: rules))
    }

    /// Adds up classified trips, all of which are accepted.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - shape: Their columns.
    ///   - rules: The rules their rule numbers refer to.
    /// - Complexity: O(*n*) in the trips; memory for the cells they fall into.
    public init(_ batch: TripBatch, shape: TripShape, rules: [RuleEntry]) {
        self.init(rules: rules)
        let view = UnpackedKPIView(batch, shape: shape)
        sums.add(
            view,
            count: batch.count,
            leavingOut: [],
            tripTypes: tripTypes.wordCodes(of: batch.columns[shape.tripTypeIndex].texts.pool),
            regions: regions.wordCodes(of: batch.columns[shape.regionIndex].texts.pool)
        )
        amount.items = Int64(batch.count)
        for row in 0..<batch.count { amount.cents += view.cost(row) ?? 0 }
    }

    /// The sums of all counted trips.
    public var counted: KPISums { sums.total }

    /// The words of the dimensions, by their numbers in cells.
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
            tripTypes: tripTypes.wordCodes(of: other.tripTypes.pool),
            regions: regions.wordCodes(of: other.regions.pool)
        )
    }
}
