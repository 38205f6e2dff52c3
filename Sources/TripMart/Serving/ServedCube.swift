public import TripDomain

/// The cube of one generation in memory: all cells of all eight groupings, whole or suppressed.
public struct ServedCube: Sendable {
    let places: CubePlaces
    let cells: CubeTable<ServedCell>
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
    ///   that does not occur, or is there twice, where a number of a whole cube is missing, or where numbers are
    ///   too large to be added up.
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
        let isReadable = isSuppressed || rows.allSatisfy { !$0.1.isSuppressed }
        guard isReadable, SumLimit.allows(rows.lazy.map(\.1.sums)) else {
            throw file.damaged()
        }
        var cells = CubeTable<ServedCell>(places)
        for (key, cell) in rows.sorted(by: { $0.0 < $1.0 }) {
            // The rows are a table with a primary key, in which a changed bit may make two keys one.
            guard cells[key] == nil else { throw file.damaged() }
            cells.set(cell, at: key)
        }
        self.cells = cells
        totalsAlone = isSuppressed ? Self.totalsAlone(rows.map(\.0)) : []
    }

    init(places: CubePlaces, cells: CubeTable<ServedCell>) {
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
        cells.entries.allSatisfy { key, cell in
            cell.agrees(with: whole.cell(key)) && cell.showsNoCount(below: least)
        }
            && whole.cells.entries.allSatisfy { cells[$0.key] != nil || isWithoutDetails($0.key) }
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
        places.span(filter).map(sum) ?? .empty
    }

    /// The months a filter lets through, in order, each with its trips.
    public func byMonth(_ filter: ServedFilter) -> [(month: Month, cell: ServedCell)] {
        guard var span = places.span(filter) else { return [] }
        let asked = filter.months == nil ? 1..<UInt32(months.count + 1) : span.months
        var found: [(month: Month, cell: ServedCell)] = []
        for place in asked {
            span.months = place..<place + 1
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((months[Int(place) - 1], cell)) }
        }
        return found
    }

    /// The trip types a filter lets through, each with its trips.
    public func byTripType(
        _ filter: ServedFilter
    ) -> [(label: DimensionLabel, cell: ServedCell)] {
        guard var span = places.span(filter) else { return [] }
        let asked =
            span.tripType == 0 ? 1..<UInt32(tripTypes.count + 1) : span.tripType..<span.tripType + 1
        var found: [(label: DimensionLabel, cell: ServedCell)] = []
        for place in asked {
            span.tripType = place
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((tripTypes[Int(place) - 1], cell)) }
        }
        return found
    }

    /// The regions a filter lets through, each with its trips; of those its reader may see alone.
    public func byRegion(
        _ filter: ServedFilter
    ) -> [(label: DimensionLabel, cell: ServedCell)] {
        guard var span = places.span(filter) else { return [] }
        let asked = filter.region == nil ? Array(1..<UInt32(regions.count + 1)) : span.regions
        var found: [(label: DimensionLabel, cell: ServedCell)] = []
        for place in asked {
            let label = regions[Int(place) - 1]
            guard filter.mayShow(region: label.value) else { continue }
            span.regions = [place]
            let cell = sum(span)
            if cell.mayHaveTrips { found.append((label, cell)) }
        }
        return found
    }

    /// What some groups add up to.
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
