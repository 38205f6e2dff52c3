public import TripDomain

/// The cube of one generation in memory: all cells of all eight groupings, suppressed or not.
public struct ServedCube: Sendable {
    let cubeIndex: CubeIndex
    let cells: CubeTable<ServedCell>
    /// The types and regions of a month of which a suppressed cube has only a total.
    ///
    /// Missing details do not disclose whether they have trips. Month 0 has those of any month.
    private let totalsAlone: Set<CubeKey>

    /// Reads the cube of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file, or its suppressed cube.
    ///   - cubeIndex: Its months, trip types and regions.
    ///   - isSuppressed: Whether numbers may be hidden.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or
    ///   region that does not occur, or occurs twice, where a number of an unsuppressed cube is
    ///   missing, or where numbers are too large to be added up.
    init(_ file: MartFile, cubeIndex: CubeIndex, isSuppressed: Bool) throws(MartError) {
        try file.requireAllSums()
        self.cubeIndex = cubeIndex
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let rows = try file.rows("SELECT month, trip_type, region, \(columns) FROM kpi_cube") {
            row in
            guard
                let key = cubeIndex.key(
                    month: try row[0],
                    tripType: try row[1],
                    region: try row[2]
                )
            else { throw file.damaged() }
            let values: [Int64?] = try CubeTables.sumColumns.indices.map { try row[$0 + 3] }
            return (key, ServedCell(values))
        }
        let isReadable = isSuppressed || rows.allSatisfy(\.1.isWhole)
        guard isReadable, SumLimit.allows(rows.lazy.map(\.1.sums)) else {
            throw file.damaged()
        }
        var cells = CubeTable<ServedCell>(cubeIndex)
        for (key, cell) in rows.sorted(by: { $0.0 < $1.0 }) {
            // The table has a primary key, but a changed bit may make two keys equal.
            guard cells[key] == nil else { throw file.damaged() }
            cells.set(cell, at: key)
        }
        self.cells = cells
        totalsAlone = isSuppressed ? Self.totalsAlone(rows.map(\.0)) : []
    }

    init(cubeIndex: CubeIndex, cells: CubeTable<ServedCell>) {
        (self.cubeIndex, self.cells, totalsAlone) = (cubeIndex, cells, [])
    }

    private static func totalsAlone(_ keys: [CubeKey]) -> Set<CubeKey> {
        let ofMonths = keys.filter { $0.month != 0 }
        let totals = ofMonths.filter { ($0.tripType == 0) != ($0.region == 0) }
        let details = ofMonths.filter { $0.tripType != 0 && $0.region != 0 }
        let alone = Set(totals).subtracting(details.flatMap(\.totals))
        return alone.union(alone.map(\.overMonths))
    }

    /// Whether a suppressed cube agrees with the unsuppressed one.
    ///
    /// The check detects damage of its file that changes a number, leaves one out, or shows a small
    /// one.
    ///
    /// - Parameters:
    ///   - whole: The unsuppressed cube.
    ///   - least: The smallest count that may be shown, besides 0.
    /// - Returns: Whether every visible number agrees, and no small one is visible.
    /// - Complexity: O(*n*) in the cells.
    func agrees(with whole: ServedCube, showing least: Int) -> Bool {
        cells.entries.allSatisfy { key, cell in
            cell.agrees(with: whole.cell(key)) && cell.showsNoCount(below: least)
        }
            && whole.cells.entries.allSatisfy { cells[$0.key] != nil || isWithoutDetails($0.key) }
    }

    /// The months that have trips, in order.
    public var months: [Month] { cubeIndex.months }
    /// The months that an account may see, whatever the filter: those of its own regions, or all.
    public func months(of filter: ServedFilter) -> [Month] {
        guard filter.scope != nil, !filter.hasNationalTotals else { return months }
        return byMonth(ServedFilter(scope: filter.scope)).map(\.month)
    }

    /// The trip types that occur, by value.
    public var tripTypes: [DimensionLabel] { cubeIndex.tripTypes }
    /// The regions that occur, by value.
    public var regions: [DimensionLabel] { cubeIndex.regions }
    /// Whether a trip type occurs.
    public func has(tripType: String) -> Bool { cubeIndex.position(ofTripType: tripType) != nil }
    /// Whether a trip type occurs among the trips of some regions.
    ///
    /// - Parameters:
    ///   - tripType: The trip type.
    ///   - scope: The regions; nil for all.
    /// - Returns: Whether it does, or may: a hidden number counts as present.
    public func has(tripType: String, for scope: Set<String>?) -> Bool {
        guard let scope else { return has(tripType: tripType) }
        let own = ServedFilter(tripType: tripType, scope: scope)
        return has(tripType: tripType) && !byTripType(own).isEmpty
    }

    /// Whether a region occurs.
    public func has(region: String) -> Bool { cubeIndex.position(ofRegion: region) != nil }

    /// The sums of the trips that match a filter.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The sums; an empty cell where the filter names a value that the cube does not
    ///   have.
    /// - Complexity: one look-up; where the filter spans several months, or is of some regions
    ///   alone, one for each.
    public func cell(_ filter: ServedFilter) -> ServedCell {
        cubeIndex.span(filter).map(sum) ?? .empty
    }

    /// The months that match a filter, in order, each with its sums.
    public func byMonth(_ filter: ServedFilter) -> [(month: Month, cell: ServedCell)] {
        guard var span = cubeIndex.span(filter) else { return [] }
        let selected = filter.months == nil ? 1..<UInt32(months.count + 1) : span.months
        var found: [(month: Month, cell: ServedCell)] = []
        for position in selected {
            span.months = position..<position + 1
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((months[Int(position) - 1], cell)) }
        }
        return found
    }

    /// The trip types that match a filter, each with its sums.
    public func byTripType(
        _ filter: ServedFilter
    ) -> [(label: DimensionLabel, cell: ServedCell)] {
        guard var span = cubeIndex.span(filter) else { return [] }
        let selected =
            span.tripType == 0 ? 1..<UInt32(tripTypes.count + 1) : span.tripType..<span.tripType + 1
        var found: [(label: DimensionLabel, cell: ServedCell)] = []
        for position in selected {
            span.tripType = position
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((tripTypes[Int(position) - 1], cell)) }
        }
        return found
    }

    /// The regions that match a filter and that its reader may see, each with its sums.
    public func byRegion(
        _ filter: ServedFilter
    ) -> [(label: DimensionLabel, cell: ServedCell)] {
        guard var span = cubeIndex.span(filter) else { return [] }
        let selected = filter.region == nil ? Array(1..<UInt32(regions.count + 1)) : span.regions
        var found: [(label: DimensionLabel, cell: ServedCell)] = []
        for position in selected {
            let label = regions[Int(position) - 1]
            guard filter.mayShow(region: label.value) else { continue }
            span.regions = [position]
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((label, cell)) }
        }
        return found
    }

    /// The sum of some groups.
    private func sum(_ span: CubeSpan) -> ServedCell {
        var sum = ServedCell.empty
        span.forEach { sum += cell($0) }
        return sum
    }

    func cell(_ key: CubeKey) -> ServedCell {
        cells[key] ?? (isWithoutDetails(key) ? .concealed : .empty)
    }

    private func isWithoutDetails(_ key: CubeKey) -> Bool {
        !totalsAlone.isEmpty && !totalsAlone.isDisjoint(with: key.totals)
    }
}
