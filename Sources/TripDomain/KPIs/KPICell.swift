/// One row of `kpi_cube`: a month, trip type and region, each a value or `all`, and its sums.
public struct KPICell: Sendable, Hashable {
    /// `YYYY-MM` or `all`.
    public let month: String
    /// A trip type or `all`.
    public let tripType: String
    /// A region or `all`.
    public let region: String
    /// The sums of the group.
    public let sums: KPISums

    /// The word for a rolled-up dimension; reserved in every dimension.
    public static let all = "all"

    /// Makes one cell.
    public init(month: String, tripType: String, region: String, sums: KPISums) {
        self.month = month
        self.tripType = tripType
        self.region = region
        self.sums = sums
    }
}

/// One row of `kpi_basis`: a cell of the cube, split by class and basis.
public struct BasisCell: Sendable, Hashable {
    /// `YYYY-MM` or `all`.
    public let month: String
    /// A trip type or `all`.
    public let tripType: String
    /// A region or `all`.
    public let region: String
    /// The class.
    public let tripClass: TripClass
    /// The basis; the empty text where a rule names none or no rule held.
    public let basis: String
    /// Its trips and their known costs.
    public let sums: CostSums

    /// Makes one cell.
    public init(
        month: String,
        tripType: String,
        region: String,
        tripClass: TripClass,
        basis: String,
        sums: CostSums
    ) {
        self.month = month
        self.tripType = tripType
        self.region = region
        self.tripClass = tripClass
        self.basis = basis
        self.sums = sums
    }
}
