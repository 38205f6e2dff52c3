public import TripDomain

/// The cube of one generation in memory: all cells of all eight groupings, whole or suppressed.
public struct ServedCube: Sendable {
    /// Which group of trips, by places from 1; 0 stands for all.
    private struct Key: Hashable {
        let month: UInt32
        let tripType: UInt32
        let region: UInt32
    }

    /// The months that have trips, in order.
    public let months: [Month]
    /// The trip types that occur, by value.
    public let tripTypes: [DimensionLabel]
    /// The regions that occur, by value.
    public let regions: [DimensionLabel]
    private let places: (tripTypes: Places, regions: Places)
    private let cells: [Key: ServedCell]
    /// The types and regions of which a suppressed cube gives no details, which says nothing of
    /// whether they have trips.
    private let withoutDetails: (tripTypes: Set<UInt32>, regions: Set<UInt32>)

    /// Where values stand, from 1; 0 is `all`.
    private struct Places: Sendable {
        // By bytes: texts that Unicode calls equal are two values.
        private let numbers: [[UInt8]: UInt32]

        init(_ labels: [DimensionLabel]) {
            numbers = Dictionary(
                uniqueKeysWithValues: labels.enumerated().map {
                    (Array($1.value.utf8), UInt32($0) + 1)
                }
            )
        }

        subscript(_ value: String?) -> UInt32? {
            guard let value, value != KPICell.all else { return 0 }
            return numbers[Array(value.utf8)]
        }
    }

    /// Reads the cube of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file, or its suppressed cube.
    ///   - months: The months that have trips, in order.
    ///   - tripTypes: The trip types that occur.
    ///   - regions: The regions that occur.
    ///   - isSuppressed: Whether numbers may be hidden.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or region
    ///   that does not occur.
    init(
        _ file: MartFile,
        months: [Month],
        tripTypes: [DimensionLabel],
        regions: [DimensionLabel],
        isSuppressed: Bool
    ) throws(MartError) {
        (self.months, self.tripTypes, self.regions) = (months, tripTypes, regions)
        let places = (tripTypes: Places(tripTypes), regions: Places(regions))
        self.places = places
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let first = months.first
        let rows = try file.rows("SELECT month, trip_type, region, \(columns) FROM kpi_cube") {
            row in
            let word: String = try row[0]
            let month = word == KPICell.all ? 0 : Self.place(Month(text: word), first)
            guard let month, let type = places.tripTypes[try row[1]],
                let region = places.regions[try row[2]]
            else { throw file.damaged() }
            let values: [Int64?] = try CubeTables.sumColumns.indices.map { try row[$0 + 3] }
            return (Key(month: month, tripType: type, region: region), ServedCell(values))
        }
        cells = Dictionary(uniqueKeysWithValues: rows)
        guard isSuppressed else {
            withoutDetails = ([], [])
            return
        }
        var detailed = (tripTypes: Set<UInt32>([0]), regions: Set<UInt32>([0]))
        for (key, _) in rows where key.month != 0 {
            detailed.tripTypes.insert(key.tripType)
            detailed.regions.insert(key.region)
        }
        withoutDetails = (
            Set(0...UInt32(tripTypes.count)).subtracting(detailed.tripTypes),
            Set(0...UInt32(regions.count)).subtracting(detailed.regions)
        )
    }

    /// Whether a value is one of the cube's, or `all`.
    public func has(tripType: String) -> Bool { places.tripTypes[tripType] != nil }
    /// Whether a value is one of the cube's, or `all`.
    public func has(region: String) -> Bool { places.regions[region] != nil }

    /// The group of trips that a filter lets through.
    ///
    /// - Parameter filter: Which trips.
    /// - Returns: What they add up to; no trips where it names what the cube does not have.
    /// - Complexity: one look-up; where the filter spans several months, one for each.
    public func cell(_ filter: ServedFilter) -> ServedCell {
        guard let type = places.tripTypes[filter.tripType],
            let region = places.regions[filter.region]
        else { return .empty }
        return cell(filter.months, type, region)
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
        guard let region = places.regions[filter.region],
            let asked = places.tripTypes[filter.tripType]
        else { return [] }
        return listed(
            tripTypes.enumerated().compactMap { index, label in
                let type = UInt32(index) + 1
                return asked == 0 || asked == type
                    ? (label, cell(filter.months, type, region)) : nil
            }
        )
    }

    /// The regions a filter lets through, each with its trips.
    public func byRegion(_ filter: ServedFilter) -> [(label: DimensionLabel, cell: ServedCell)] {
        guard let type = places.tripTypes[filter.tripType],
            let asked = places.regions[filter.region]
        else { return [] }
        return listed(
            regions.enumerated().compactMap { index, label in
                let region = UInt32(index) + 1
                return asked == 0 || asked == region
                    ? (label, cell(filter.months, type, region)) : nil
            }
        )
    }

    /// The entries that have trips, or may have some.
    private func listed<Value>(
        _ entries: [(Value, ServedCell)]
    ) -> [(Value, ServedCell)] {
        entries.filter { $0.1.isSuppressed || $0.1.trips != 0 }
    }

    private func cell(
        _ months: ClosedRange<Month>?,
        _ type: UInt32,
        _ region: UInt32
    ) -> ServedCell {
        guard let months else { return cell(Key(month: 0, tripType: type, region: region)) }
        return self.months.filter(months.contains).reduce(.empty) { sum, month in
            guard let place = Self.place(month, self.months.first) else { return sum }
            return sum + cell(Key(month: place, tripType: type, region: region))
        }
    }

    private func cell(_ key: Key) -> ServedCell {
        if let cell = cells[key] { return cell }
        let isUnknown =
            withoutDetails.tripTypes.contains(key.tripType)
            || withoutDetails.regions.contains(key.region)
        return isUnknown ? .concealed : .empty
    }

    /// Where a month stands among all from the first one on, from 1.
    private static func place(_ month: Month?, _ first: Month?) -> UInt32? {
        guard let month, let first, month >= first else { return nil }
        return UInt32(month.monthNumber - first.monthNumber) + 1
    }
}
