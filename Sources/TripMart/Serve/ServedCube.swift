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
    ///   - month: The only month that is read; nil for all, and the sums over all.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or
    ///   region that does not occur, or occurs twice, where a number of an unsuppressed cube is
    ///   missing, or where numbers are too large to be added up.
    init(
        _ file: MartFile,
        cubeIndex: CubeIndex,
        isSuppressed: Bool,
        month: Month? = nil
    ) throws(MartError) {
        try file.requireAllSums()
        self.cubeIndex = cubeIndex
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let sql = "SELECT month, trip_type, region, \(columns) FROM kpi_cube"
        let rows = try file.rows(
            sql + (month == nil ? "" : " WHERE month = ?"),
            month.map { [$0.text] } ?? []
        ) { row in
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

/// National totals for an account that sees every number of some regions.
extension ServedCube {
    /// The cube for an account that sees every number of its own regions, and national totals.
    ///
    /// An account that sees its own regions unsuppressed can derive the sum of all other regions by
    /// subtraction. So a total is shown only where the suppressed cube hides no part of it and the
    /// other regions have no small count in it; and of a month either all trip types or none are
    /// shown: a hidden one could be derived from the others.
    ///
    /// - Parameters:
    ///   - suppressed: The suppressed cube of the same generation; `self` is the unsuppressed one.
    ///   - regions: The account's own regions.
    ///   - least: The smallest count that may be shown, besides 0.
    /// - Returns: The account's own regions unsuppressed, and the totals that may be shown.
    /// - Complexity: O(*n*) in the cells.
    func beside(
        totalsOf suppressed: ServedCube,
        own regions: Set<String>,
        showing least: Int
    ) -> ServedCube {
        let own = regions.compactMap(cubeIndex.position(ofRegion:)).sorted()
        var cells = CubeTable<ServedCell>(cubeIndex)
        for (key, cell) in self.cells.entries where own.contains(key.region) {
            cells.set(cell, at: key)
        }
        let types = [0] + tripTypes.compactMap { cubeIndex.position(ofTripType: $0.value) }
        // One for each of the types, in order.
        var overMonths = types.map { _ in ServedCell.empty }
        for month in months.compactMap(cubeIndex.position(of:)) {
            let totals = types.map { type -> ServedCell in
                let all = suppressed.cell(CubeKey(month: month, tripType: type, region: 0))
                let known = own.reduce(into: ServedCell.empty) { sum, region in
                    sum += cell(CubeKey(month: month, tripType: type, region: region))
                }
                let isSafe = !all.isSuppressed && all.leavesNoCount(below: least, beside: known)
                return isSafe ? all : .concealed
            }
            let isEveryTypeShown = !totals.dropFirst().contains(.concealed)
            for (index, type) in types.enumerated() {
                let shown = type == 0 || isEveryTypeShown ? totals[index] : .concealed
                cells.set(shown, at: CubeKey(month: month, tripType: type, region: 0))
                overMonths[index] += shown
            }
        }
        for (type, total) in zip(types, overMonths) {
            cells.set(total, at: CubeKey(month: 0, tripType: type, region: 0))
        }
        return ServedCube(cubeIndex: cubeIndex, cells: cells)
    }
}

/// Values by group of trips, in a dense array of positions instead of a hash table.
///
/// A position takes four bytes, and a value its own size: most combinations of many types and many
/// regions occur in no month. The months of a type and region are adjacent, because they are added
/// up together.
struct CubeTable<Value: Sendable>: Sendable {
    private let monthCount: Int
    private let regionCount: Int
    /// The index of the value of each position among the entries, from 1; 0 where there is none.
    private var slots: [UInt32]
    /// The groups that have a value, with it, in the order of insertion, which is best that of
    /// their positions.
    private(set) var entries: [(key: CubeKey, value: Value)] = []

    /// Creates an empty table.
    ///
    /// - Parameter cubeIndex: The months, trip types and regions that occur.
    init(_ cubeIndex: CubeIndex) {
        // One more of each, for `all`.
        monthCount = cubeIndex.months.count + 1
        regionCount = cubeIndex.regions.count + 1
        slots = Array(
            repeating: 0,
            count: (cubeIndex.tripTypes.count + 1) * regionCount * monthCount
        )
    }

    /// The value of a group; nil where there is none.
    ///
    /// - Complexity: O(1).
    subscript(key: CubeKey) -> Value? {
        let slot = slots[index(key)]
        return slot == 0 ? nil : entries[Int(slot) - 1].value
    }

    /// Sets the value of a group, and replaces an earlier one.
    ///
    /// - Complexity: O(1), amortized.
    mutating func set(_ value: Value, at key: CubeKey) {
        let index = index(key)
        if slots[index] == 0 {
            entries.append((key, value))
            slots[index] = UInt32(entries.count)
        } else {
            entries[Int(slots[index]) - 1].value = value
        }
    }

    /// The position of a group, from 0.
    func index(_ key: CubeKey) -> Int {
        (Int(key.tripType) * regionCount + Int(key.region)) * monthCount + Int(key.month)
    }
}
