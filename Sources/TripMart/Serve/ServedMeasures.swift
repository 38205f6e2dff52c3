public import TripDomain

/// The declared measures of one generation in memory.
///
/// They are for readers who see every number: a condition may hold for any subset of the trips, and
/// no suppression is safe without knowing the subsets.
public struct ServedMeasures: Sendable {
    /// One measure of one group.
    private struct Group {
        var sums = MeasureSums()
        /// The values of a median.
        var values: [ValueCount] = []
        var value: MeasureValue
    }

    /// One measure of one group's trips of a class and basis.
    private struct BasisGroup {
        let measure: Int
        let classAndBasis: ServedBases.ClassAndBasis
        let group: Group
    }

    /// The measures, in the pipeline's order; empty where none is declared.
    public let measures: [DeclaredMeasure]
    private let cubeIndex: CubeIndex
    /// Per measure, the groups of which a value is known.
    private let groups: [CubeTable<Group>]
    /// The same split by class and basis: of each group, what is known of its pairs.
    private let bases: CubeTable<[BasisGroup]>

    /// Reads the measures of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file.
    ///   - cubeIndex: Its months, trip types and regions.
    ///   - month: The only month that is read; nil for all.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a row is of a group that does
    ///   not occur, or where numbers are too large to be added up.
    /// - Complexity: O(*n* log *n*) in the rows of the measures.
    init(_ file: MartFile, cubeIndex: CubeIndex, month: Month? = nil) throws(MartError) {
        measures = try file.declaredMeasures()
        self.cubeIndex = cubeIndex
        let cells = measures.isEmpty ? DeclaredCells() : try file.measureCells(of: month)
        var tables: [CubeTable<Group>] = []
        for measure in measures {
            var table = CubeTable<Group>(cubeIndex)
            for (key, group) in try Self.groups(measure, cells, file, cubeIndex) {
                table.set(group, at: key)
            }
            tables.append(table)
        }
        groups = tables
        var bases = CubeTable<[BasisGroup]>(cubeIndex)
        for (classAndBasis, cells) in cells.byBasis {
            for (number, measure) in measures.enumerated() {
                for (key, group) in try Self.groups(measure, cells, file, cubeIndex) {
                    let one = BasisGroup(
                        measure: number,
                        classAndBasis: classAndBasis,
                        group: group
                    )
                    bases.set((bases[key] ?? []) + [one], at: key)
                }
            }
        }
        self.bases = bases
    }

    /// The groups of which a value of a measure is known.
    private static func groups(
        _ measure: DeclaredMeasure,
        _ cells: DeclaredCells,
        _ file: MartFile,
        _ cubeIndex: CubeIndex
    ) throws(MartError) -> [(key: CubeKey, group: Group)] {
        var found: [(key: CubeKey, group: Group)] = []
        for (key, group) in MeasureGroups(measure, cells).groups {
            guard let place = cubeIndex.key(key), SumLimit.allows(group.sums) else {
                throw file.damaged()
            }
            let value = MeasureValue(measure, group.sums, values: group.values)
            found.append((place, Group(sums: group.sums, values: group.values, value: value)))
        }
        return found
    }

    /// The measures for the trips that match a filter.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: In the order of the measures, the value of each.
    /// - Complexity: One look-up for each measure; where the filter spans several months, or is of
    ///   some regions alone, one for each, and O(*v* log *v*) in the values of a median.
    public func values(_ filter: ServedFilter) -> [MeasureValue] {
        let span = cubeIndex.span(filter)
        return measures.indices.map { number in
            var found: [Group] = []
            span?.forEach { key in
                if let group = groups[number][key] { found.append(group) }
            }
            return value(number, found)
        }
    }

    /// The measures for the trips of a class and basis that match a filter.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - classAndBasis: The class and basis.
    /// - Returns: In the order of the measures, the value of each.
    /// - Complexity: That of ``values(_:)``, times the number of classes and bases.
    public func values(
        _ filter: ServedFilter,
        of classAndBasis: ServedBases.ClassAndBasis
    ) -> [MeasureValue] {
        var found = [[Group]](repeating: [], count: measures.count)
        cubeIndex.span(filter)?.forEach { key in
            for one in bases[key] ?? [] where one.classAndBasis == classAndBasis {
                found[one.measure].append(one.group)
            }
        }
        return measures.indices.map { value($0, found[$0]) }
    }

    /// The measures for the trips that match a filter, each with its value.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The measures, in the pipeline's order.
    /// - Complexity: That of ``values(_:)``.
    public func states(_ filter: ServedFilter) -> [MeasureChange.State] {
        zip(measures, values(filter)).map { MeasureChange.State($0, $1) }
    }

    /// The value of a measure for some groups together.
    private func value(_ number: Int, _ groups: [Group]) -> MeasureValue {
        let measure = measures[number]
        if groups.count == 1 { return groups[0].value }
        let sums = groups.reduce(into: MeasureSums()) { $0 += $1.sums }
        guard measure.kind == .median else { return MeasureValue(measure, sums) }
        var counts: [Int64: Int64] = [:]
        for group in groups {
            for one in group.values { counts[one.value, default: 0] += one.trips }
        }
        return MeasureValue(measure, sums, values: MeasureGroups.sorted(counts))
    }
}

extension CubeIndex {
    /// The key of a group; nil where one of its words does not occur.
    fileprivate func key(_ key: MeasureGroups.Key) -> CubeKey? {
        self.key(month: key.month.text, tripType: key.tripType.text, region: key.region.text)
    }
}

extension DeclaredCells {
    /// The measures of the cells by class and basis.
    fileprivate var byBasis: [ServedBases.ClassAndBasis: DeclaredCells] {
        var found: [ServedBases.ClassAndBasis: DeclaredCells] = [:]
        for cell in measures {
            found[cell.group.classAndBasis, default: Self()].measures.append(cell)
        }
        for cell in values {
            found[cell.group.classAndBasis, default: Self()].values.append(cell)
        }
        return found
    }
}

extension DeclaredGroup {
    fileprivate var classAndBasis: ServedBases.ClassAndBasis {
        ServedBases.ClassAndBasis(tripClass: tripClass, basis: basis)
    }
}
