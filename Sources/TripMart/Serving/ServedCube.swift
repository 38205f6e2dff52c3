public import TripDomain

/// The cube of one generation in memory: all cells of all eight groupings, whole or suppressed.
public struct ServedCube: Sendable {
    let places: CubePlaces
    let cells: [CubeKey: ServedCell]
    /// The types and regions of a month of which a suppressed cube gives a total alone.
    ///
    /// That there are no details says nothing of whether they have trips. Month 0 has those of any month.
    private let totalsAlone: Set<CubeKey>

    /// Reads the cube of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file, or its suppressed cube.
    ///   - places: Its months, trip types and regions.
    ///   - isSuppressed: Whether numbers may be hidden.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or region
    ///   that does not occur.
    init(_ file: MartFile, places: CubePlaces, isSuppressed: Bool) throws(MartError) {
        try file.requireAllSums()
        self.places = places
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let rows = try file.rows("SELECT month, trip_type, region, \(columns) FROM kpi_cube") {
            row in
            guard
                let key = places.key(
                    month: try row[0],
                    tripType: try row[1],
                    region: try row[2]
                )
            else { throw file.damaged() }
            let values: [Int64?] = try CubeTables.sumColumns.indices.map { try row[$0 + 3] }
            return (key, ServedCell(values))
        }
        var cells: [CubeKey: ServedCell] = [:]
        // The rows are a table with a primary key, in which a changed bit may make two keys one.
        for (key, cell) in rows where cells.updateValue(cell, forKey: key) != nil {
            throw file.damaged()
        }
        self.cells = cells
        totalsAlone = isSuppressed ? Self.totalsAlone(rows.map(\.0)) : []
    }

    init(places: CubePlaces, cells: [CubeKey: ServedCell]) {
        (self.places, self.cells, totalsAlone) = (places, cells, [])
    }

    private static func totalsAlone(_ keys: [CubeKey]) -> Set<CubeKey> {
        let ofMonths = keys.filter { $0.month != 0 }
        let totals = ofMonths.filter { ($0.tripType == 0) != ($0.region == 0) }
        let details = ofMonths.filter { $0.tripType != 0 && $0.region != 0 }
        let alone = Set(totals).subtracting(details.flatMap(\.totals))
        return alone.union(alone.map(\.overMonths))
    }

    /// Whether a suppressed cube shows of the whole one what it may, and nothing else.
    ///
    /// A fault of its file cannot turn a number into another one, leave one out, or show a small one, unnoticed.
    ///
    /// - Parameters:
    ///   - whole: The whole cube.
    ///   - least: The least count that may be shown, beside 0.
    /// - Returns: Whether it does.
    /// - Complexity: O(*n*) in the cells.
    func agrees(with whole: ServedCube, showing least: Int) -> Bool {
        cells.allSatisfy { key, cell in
            cell.agrees(with: whole.cell(key)) && cell.showsNoCount(below: least)
        }
            && whole.cells.keys.allSatisfy { cells[$0] != nil || isWithoutDetails($0) }
    }

    /// The months that have trips, in order.
    public var months: [Month] { places.months }
    /// The months that somebody may know of, whatever they ask: of their own regions, or of all.
    public func months(of filter: ServedFilter) -> [Month] {
        guard filter.scope != nil, !filter.hasNationalTotals else { return months }
        return byMonth(ServedFilter(scope: filter.scope)).map(\.month)
    }

    /// The trip types that occur, by value.
    public var tripTypes: [DimensionLabel] { places.tripTypes }
    /// The regions that occur, by value.
    public var regions: [DimensionLabel] { places.regions }
    /// Whether a trip type occurs.
    public func has(tripType: String) -> Bool { places.place(ofTripType: tripType) != nil }
    /// Whether a trip type occurs among the trips of some regions.
    ///
    /// - Parameters:
    ///   - tripType: The trip type.
    ///   - scope: The regions; nil is all.
    /// - Returns: Whether it does, or may: what is hidden counts as there.
    public func has(tripType: String, for scope: Set<String>?) -> Bool {
        guard let scope else { return has(tripType: tripType) }
        let own = ServedFilter(tripType: tripType, scope: scope)
        return has(tripType: tripType) && !byTripType(own).isEmpty
    }

    /// Whether a region occurs.
    public func has(region: String) -> Bool { places.place(ofRegion: region) != nil }

    /// The group of trips that a filter lets through.
    ///
    /// - Parameter filter: Which trips.
    /// - Returns: What they add up to; no trips where it names what the cube does not have.
    /// - Complexity: one look-up; where the filter spans several months, or is of some regions alone, one
    ///   for each.
    public func cell(_ filter: ServedFilter) -> ServedCell {
        places.keys(filter).reduce(.empty) { $0 + cell($1) }
    }

    /// The months a filter lets through, in order, each with its trips.
    public func byMonth(_ filter: ServedFilter) -> [(month: Month, cell: ServedCell)] {
        listed(
            months.filter { filter.months?.contains($0) ?? true }.map { month in
                (month, cell(filter.with(months: month...month)))
            }
        )
    }

    /// The trip types a filter lets through, each with its trips.
    public func byTripType(
        _ filter: ServedFilter
    ) -> [(label: DimensionLabel, cell: ServedCell)] {
        listed(
            tripTypes.filter { filter.tripType.map($0.value.isSameBytes) ?? true }
                .map { ($0, cell(filter.with(tripType: $0.value))) }
        )
    }

    /// The regions a filter lets through, each with its trips; of those its reader may see alone.
    public func byRegion(_ filter: ServedFilter) -> [(label: DimensionLabel, cell: ServedCell)] {
        listed(
            regions.filter { filter.region.map($0.value.isSameBytes) ?? true }
                .filter { filter.mayShow(region: $0.value) }
                .map { ($0, cell(filter.with(region: $0.value))) }
        )
    }

    /// The entries that have trips, or may have some.
    private func listed<Value>(
        _ entries: [(Value, ServedCell)]
    ) -> [(Value, ServedCell)] {
        entries.filter { $0.1.isSuppressed || $0.1.trips != 0 }
    }

    func cell(_ key: CubeKey) -> ServedCell {
        cells[key] ?? (isWithoutDetails(key) ? .concealed : .empty)
    }

    private func isWithoutDetails(_ key: CubeKey) -> Bool {
        !totalsAlone.isDisjoint(with: key.totals)
    }
}
