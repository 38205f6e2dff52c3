public import TripDomain

/// The declared measures of one generation in memory, suppressed or not.
public struct ServedMeasures: Sendable {
    /// One measure of one group.
    private struct Group {
        var sums = MeasureSums()
        /// The values of a median; nil where only the median itself is known.
        var values: [ValueCount]? = []
        var value: MeasureValue
    }

    /// The measures, in the pipeline's order; empty where none is declared.
    public let measures: [DeclaredMeasure]
    private let cubeIndex: CubeIndex
    /// Per measure, the groups that are shown.
    private let groups: [CubeTable<Group>]
    /// Whether a group that is not there is hidden; otherwise it has no known value.
    private let isSuppressed: Bool

    /// Reads the measures of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file.
    ///   - cubeIndex: Its months, trip types and regions.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a row is of a group that does
    ///   not occur, or where numbers are too large to be added up.
    /// - Complexity: O(*n* log *n*) in the rows of the measures.
    init(_ file: MartFile, cubeIndex: CubeIndex) throws(MartError) {
        measures = try file.declaredMeasures()
        self.cubeIndex = cubeIndex
        isSuppressed = false
        let cells = measures.isEmpty ? DeclaredCells() : try file.measureCells()
        var tables: [CubeTable<Group>] = []
        for measure in measures {
            var table = CubeTable<Group>(cubeIndex)
            for (key, group) in MeasureGroups(measure, cells).groups {
                guard let place = cubeIndex.key(key), SumLimit.allows(group.sums) else {
                    throw file.damaged()
                }
                table.set(
                    Group(
                        sums: group.sums,
                        values: group.values,
                        value: MeasureValue(measure, group.sums, values: group.values)
                    ),
                    at: place
                )
            }
            tables.append(table)
        }
        groups = tables
    }

    /// Reads the measures of a file with small cells suppressed.
    init(suppressed file: MartFile, cubeIndex: CubeIndex) throws(MartError) {
        measures = try file.declaredMeasures()
        self.cubeIndex = cubeIndex
        isSuppressed = true
        var tables = measures.map { _ in CubeTable<Group>(cubeIndex) }
        let numbers = Dictionary(
            uniqueKeysWithValues: measures.enumerated().map { ($1.name, $0) }
        )
        let rows =
            measures.isEmpty
            ? []
            : try file.rows("SELECT * FROM kpi_measure_shown") { row in
                try (
                    name: row["measure"] as String,
                    key: MeasureGroups.Key(
                        month: row["month"],
                        tripType: row["trip_type"],
                        region: row["region"]
                    ),
                    known: row["known_trips"] as Int64, sum: row["sum"] as Int64?,
                    median: row["median"] as Int64?
                )
            }
        for row in rows {
            let sums = MeasureSums(knownTrips: row.known, sum: row.sum ?? 0)
            guard let number = numbers[row.name], let place = cubeIndex.key(row.key),
                SumLimit.allows(sums),
                SumLimit.allows(MeasureSums(knownTrips: 0, sum: row.median ?? 0))
            else { throw file.damaged() }
            let measure = measures[number]
            let isMedian = measure.kind == .median
            tables[number].set(
                Group(
                    sums: sums,
                    values: nil,
                    value: isMedian
                        ? MeasureValue(knownTrips: row.known, value: row.median)
                        : MeasureValue(measure, sums)
                ),
                at: place
            )
        }
        groups = tables
    }

    /// The measures for the trips that match a filter.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: In the order of the measures, the value of each; nil where it is hidden.
    /// - Complexity: One look-up for each measure; where the filter spans several months, or is of
    ///   some regions alone, one for each, and O(*v* log *v*) in the values of a median.
    public func values(_ filter: ServedFilter) -> [MeasureValue?] {
        let span = cubeIndex.span(filter)
        return measures.indices.map { number in
            guard let span else { return MeasureValue(measures[number], MeasureSums()) }
            return value(number, span)
        }
    }

    private func value(_ number: Int, _ span: CubeSpan) -> MeasureValue? {
        let measure = measures[number]
        var found: [Group?] = []
        span.forEach { key in
            found.append(
                groups[number][key]
                    ?? (isSuppressed
                        ? nil : Group(value: MeasureValue(measure, MeasureSums())))
            )
        }
        let shown = found.compactMap(\.self)
        guard shown.count == found.count else { return nil }
        if shown.count == 1 { return shown[0].value }
        let sums = shown.reduce(into: MeasureSums()) { $0 += $1.sums }
        guard measure.kind == .median else { return MeasureValue(measure, sums) }
        var counts: [Int64: Int64] = [:]
        for group in shown {
            // Medians do not add up.
            guard let values = group.values else { return nil }
            for one in values { counts[one.value, default: 0] += one.trips }
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

extension ServedGeneration {
    /// The declared measures that a reader may see.
    ///
    /// Of totals beside the reader's own regions nothing is shown: the other regions would follow
    /// by subtraction, and no count of theirs is protected.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - numbers: Which numbers the reader may see.
    /// - Returns: In the order of the measures, the value of each; nil where it is hidden.
    public func measures(_ filter: ServedFilter, _ numbers: VisibleNumbers) -> [MeasureValue?] {
        switch numbers {
        case .whole: wholeMeasures.values(filter)
        case .suppressed: suppressedMeasures.values(filter)
        case .beside:
            filter.region == nil
                ? wholeMeasures.measures.map { _ in nil } : wholeMeasures.values(filter)
        }
    }
}
