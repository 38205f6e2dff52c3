public import TripDomain

/// The cube of one generation split by class and basis, in memory; unsuppressed, since no
/// suppressed one exists.
public struct ServedBases: Sendable {
    /// A pair of class and basis.
    public struct ClassAndBasis: Sendable, Hashable {
        /// The class.
        public let tripClass: TripClass
        /// The basis; empty where there is none.
        public let basis: String
    }

    private let cubeIndex: CubeIndex
    /// For each group, the range of its entries in `all`.
    private let cells: CubeTable<Range<Int>>
    private let all: [(classAndBasis: Int, sums: CostSums)]
    /// All pairs of class and basis that occur, in order.
    private let classesAndBases: [ClassAndBasis]

    /// Reads the split cube of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file.
    ///   - cubeIndex: Its months, trip types and regions.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or
    ///   region that does not occur, or where numbers are too large to be added up.
    init(_ file: MartFile, cubeIndex: CubeIndex) throws(MartError) {
        self.cubeIndex = cubeIndex
        let rows = try file.basisCells()
        let classesAndBases = Set(
            rows.map { ClassAndBasis(tripClass: $0.tripClass, basis: $0.basis) }
        ).sorted {
            ($0.tripClass.order, $0.basis) < ($1.tripClass.order, $1.basis)
        }
        let numbers = Dictionary(
            uniqueKeysWithValues: classesAndBases.enumerated().map { ($1, $0) }
        )
        var lists = CubeTable<[(classAndBasis: Int, sums: CostSums)]>(cubeIndex)
        for row in rows {
            guard
                let key = cubeIndex.key(
                    month: row.month,
                    tripType: row.tripType,
                    region: row.region
                ),
                let classAndBasis = numbers[
                    ClassAndBasis(tripClass: row.tripClass, basis: row.basis)
                ]
            else { throw file.damaged() }
            lists.set((lists[key] ?? []) + [(classAndBasis, row.sums)], at: key)
        }
        var (cells, all) = (
            CubeTable<Range<Int>>(cubeIndex), [(classAndBasis: Int, sums: CostSums)]()
        )
        for (key, list) in lists.entries.sorted(by: { $0.key < $1.key }) {
            cells.set(all.count..<all.count + list.count, at: key)
            all += list
        }
        (self.cells, self.all, self.classesAndBases) = (cells, all, classesAndBases)
    }

    /// The sums of the trips that match a filter, by class and basis.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: Each pair that has trips, with their sums.
    public func byBasis(_ filter: ServedFilter) -> [(classAndBasis: ClassAndBasis, sums: CostSums)]
    {
        var found = [CostSums](repeating: CostSums(), count: classesAndBases.count)
        cubeIndex.span(filter)?.forEach { key in
            for (classAndBasis, sums) in all[cells[key] ?? 0..<0] { found[classAndBasis] += sums }
        }
        return zip(classesAndBases, found).filter { $0.1.trips != 0 }.map { ($0, $1) }
    }
}

extension TripClass {
    /// Known classes come first.
    fileprivate var order: UInt8 { self == .undetermined ? .max : rawValue }
}
