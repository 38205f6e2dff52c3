/// A dimension that a pipeline declares beside month, trip type and region.
public struct DeclaredDimension: Sendable, Hashable {
    /// Its name in the pipeline and in answers.
    public let name: String
    /// The column of the trips, a text.
    public let column: String
    /// The title that people read.
    public let label: String

    /// Describes a dimension.
    public init(name: String, column: String, label: String) {
        self.name = name
        self.column = column
        self.label = label
    }
}

/// The finest group of counted trips: what declared measures and dimensions are kept by.
public struct DeclaredGroup: Sendable, Hashable {
    /// `YYYY-MM`.
    public let month: String
    /// The trip type.
    public let tripType: String
    /// The region.
    public let region: String
    /// The class.
    public let tripClass: TripClass
    /// The basis; the empty text where there is none.
    public let basis: String

    /// Describes a group.
    public init(
        month: String,
        tripType: String,
        region: String,
        tripClass: TripClass,
        basis: String
    ) {
        self.month = month
        self.tripType = tripType
        self.region = region
        self.tripClass = tripClass
        self.basis = basis
    }
}

/// One row of `kpi_measure`: a group with the sums of a measure.
public struct MeasureCell: Sendable, Hashable {
    /// The measure's name.
    public let measure: String
    /// The group.
    public let group: DeclaredGroup
    /// The sums of its trips.
    public let sums: MeasureSums

    /// Describes a row.
    public init(measure: String, group: DeclaredGroup, sums: MeasureSums) {
        self.measure = measure
        self.group = group
        self.sums = sums
    }
}

/// One row of `kpi_measure_value`: how often a value occurs in a group, from which any median
/// follows.
public struct MeasureValueCell: Sendable, Hashable {
    /// The measure's name.
    public let measure: String
    /// The group.
    public let group: DeclaredGroup
    /// The value and how many trips have it.
    public let count: ValueCount

    /// Describes a row.
    public init(measure: String, group: DeclaredGroup, count: ValueCount) {
        self.measure = measure
        self.group = group
        self.count = count
    }
}

/// One row of `kpi_dimension`: the trips of a group that have one value of a declared dimension.
public struct DimensionCell: Sendable, Hashable {
    /// The dimension's name.
    public let dimension: String
    /// The value; the empty text for trips without one.
    public let value: String
    /// The group.
    public let group: DeclaredGroup
    /// Its trips and their known costs.
    public let sums: CostSums

    /// Describes a row.
    public init(dimension: String, value: String, group: DeclaredGroup, sums: CostSums) {
        self.dimension = dimension
        self.value = value
        self.group = group
        self.sums = sums
    }
}

/// The cells of all declared measures and dimensions, each list in order of its primary key.
public struct DeclaredCells: Sendable, Hashable {
    /// The sums of each measure.
    public var measures: [MeasureCell] = []
    /// The values of each median.
    public var values: [MeasureValueCell] = []
    /// The trips by each dimension.
    public var dimensions: [DimensionCell] = []

    /// No cells.
    public init() {}
}

/// What a pipeline declares beside the cube, with its cells.
public struct DeclaredKPIs: Sendable, Hashable {
    /// The measures, in the pipeline's order.
    public var measures: [DeclaredMeasure] = []
    /// The dimensions, in the pipeline's order.
    public var dimensions: [DeclaredDimension] = []
    /// The cells.
    public var cells = DeclaredCells()

    /// Nothing declared.
    public init() {}

    /// Pairs declarations with their cells.
    ///
    /// - Parameters:
    ///   - columns: The declarations, each with its column.
    ///   - cells: The cells.
    public init(_ columns: DeclaredColumns, _ cells: DeclaredCells) {
        measures = columns.measures.map(\.declared)
        dimensions = columns.dimensions.map(\.declared)
        self.cells = cells
    }
}

/// The columns of a trip that declared measures and dimensions read.
public struct DeclaredColumns: Sendable, Hashable {
    /// The measures, each with the index of its column, which holds integers.
    public var measures: [DeclaredColumn<DeclaredMeasure>] = []
    /// The dimensions, each with the index of its column, which holds texts.
    public var dimensions: [DeclaredColumn<DeclaredDimension>] = []

    /// No columns.
    public init() {}

    /// Whether nothing is declared.
    public var isEmpty: Bool { measures.isEmpty && dimensions.isEmpty }

    /// The indexes of all columns.
    public var indexes: Set<Int> { Set(measures.map(\.index) + dimensions.map(\.index)) }
}

/// Something declared, and the index of its column in a trip.
public struct DeclaredColumn<Declared: Sendable & Hashable>: Sendable, Hashable {
    /// What is declared.
    public let declared: Declared
    /// The index of its column.
    public let index: Int

    /// Pairs both.
    public init(_ declared: Declared, index: Int) {
        self.declared = declared
        self.index = index
    }
}
