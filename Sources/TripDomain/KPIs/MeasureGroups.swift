/// The sums of one declared measure for groups of trips by month, trip type and region, each of
/// which may be `all`.
public struct MeasureGroups: Sendable {
    /// A group, by the bytes of its words.
    public struct Key: Sendable, Hashable {
        /// `YYYY-MM` or `all`.
        public let month: ValueBytes
        /// The trip type or `all`.
        public let tripType: ValueBytes
        /// The region or `all`.
        public let region: ValueBytes

        /// Names a group.
        public init(month: String, tripType: String, region: String) {
            self.month = ValueBytes(month)
            self.tripType = ValueBytes(tripType)
            self.region = ValueBytes(region)
        }

        /// The eight groups that the trips of a cell belong to, this cell first.
        fileprivate static func all(of group: DeclaredGroup) -> [Key] {
            (0..<8).map { set in
                Key(
                    month: set & 1 == 0 ? group.month : KPICell.all,
                    tripType: set & 2 == 0 ? group.tripType : KPICell.all,
                    region: set & 4 == 0 ? group.region : KPICell.all
                )
            }
        }
    }

    /// The sums and, of a median, how often each value occurs, in order of the values.
    public struct Group: Sendable {
        /// The sums.
        public var sums = MeasureSums()
        /// The values; empty but for a median.
        public var values: [ValueCount] = []

        /// No trips.
        public init() {}
    }

    /// The measure.
    public let measure: DeclaredMeasure
    /// The groups that have a known value.
    public let groups: [Key: Group]

    /// Rolls up the cells of a measure.
    ///
    /// - Parameters:
    ///   - measure: The measure.
    ///   - cells: The cells of all measures.
    /// - Complexity: O(*n* log *n*) in the cells of the measure.
    public init(_ measure: DeclaredMeasure, _ cells: DeclaredCells) {
        var groups: [Key: Group] = [:]
        for cell in cells.measures where cell.measure == measure.name {
            for key in Key.all(of: cell.group) { groups[key, default: Group()].sums += cell.sums }
        }
        var counts: [Key: [Int64: Int64]] = [:]
        for cell in cells.values where cell.measure == measure.name {
            for key in Key.all(of: cell.group) {
                counts[key, default: [:]][cell.count.value, default: 0] += cell.count.trips
            }
        }
        for (key, values) in counts {
            groups[key, default: Group()].values = Self.sorted(values)
        }
        self.measure = measure
        self.groups = groups
    }

    /// Values in their order.
    ///
    /// - Parameter counts: The number of trips by value.
    /// - Returns: The values.
    public static func sorted(_ counts: [Int64: Int64]) -> [ValueCount] {
        counts.map { ValueCount(value: $0, trips: $1) }.sorted { $0.value < $1.value }
    }
}
