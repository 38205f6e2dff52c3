import TripDomain
import TripMart
import TripPipeline

/// The differences between two cubes.
extension Plan {
    /// The values of one dimension whose sums change.
    ///
    /// - Parameters:
    ///   - old: The current cube.
    ///   - new: The planned cube.
    ///   - value: The value of a cell in that dimension; nil where the other one is not rolled up.
    /// - Returns: The values that change, the largest change first, and the number of values.
    static func values(
        _ old: [KPICell],
        _ new: [KPICell],
        _ value: (KPICell) -> String?
    ) -> ([ValueMove], Int) {
        var months: [ByteText: [String: (old: KPISums, new: KPISums)]] = [:]
        func each(_ cells: [KPICell], _ add: (inout (old: KPISums, new: KPISums), KPISums) -> Void)
        {
            for cell in cells where cell.month != KPICell.all {
                guard let name = value(cell), name != KPICell.all else { continue }
                add(
                    &months[ByteText(name), default: [:]][
                        cell.month,
                        default: (KPISums(), KPISums())
                    ],
                    cell.sums
                )
            }
        }
        each(old) { $0.old = $1 }
        each(new) { $0.new = $1 }
        let moves = months.compactMap { move($0.text, $1.filter { $1.old != $1.new }) }
        let sorted = moves.sorted {
            ($1.change.size, ByteText($0.value)) < ($0.change.size, ByteText($1.value))
        }
        return (sorted, months.count)
    }

    /// The finest cells that change, the largest change first.
    static func cells(_ old: [KPICell], _ new: [KPICell]) -> [CellMove] {
        var groups: [[ByteText]: (old: KPISums, new: KPISums)] = [:]
        func key(_ cell: KPICell) -> [ByteText]? {
            let words = [cell.month, cell.tripType, cell.region]
            return words.contains(KPICell.all) ? nil : words.map { ByteText($0) }
        }
        for cell in old {
            key(cell).map { groups[$0, default: (KPISums(), KPISums())].old = cell.sums }
        }
        for cell in new {
            key(cell).map { groups[$0, default: (KPISums(), KPISums())].new = cell.sums }
        }
        return groups.filter { $1.old != $1.new }.map { key, sums in
            CellMove(
                month: key[0].text,
                tripType: key[1].text,
                region: key[2].text,
                change: ClassChange(sums.old, sums.new)
            )
        }.sorted { ($1.change.size, $0.key) < ($0.change.size, $1.key) }
    }

    /// The months in which a cell changes, and the number of months.
    static func months(
        _ old: [KPICell],
        _ new: [KPICell],
        _ cells: [CellMove]
    ) -> ([String], Int) {
        let all = Set((old + new).map(\.month)).subtracting([KPICell.all])
        return (Set(cells.map(\.month)).sorted(), all.count)
    }

    private static func move(
        _ value: String,
        _ months: [String: (old: KPISums, new: KPISums)]
    ) -> ValueMove? {
        guard let first = months.keys.min(), let last = months.keys.max() else { return nil }
        let points = months.values.compactMap { month -> Int64? in
            guard let old = month.old.inHousePercentHundredths,
                let new = month.new.inHousePercentHundredths
            else { return nil }
            return new - old
        }
        var range: ClosedRange<Int64>?
        if let least = points.min(), let most = points.max() { range = least...most }
        return ValueMove(
            value: value,
            months: first...last,
            change: months.values.reduce(into: ClassChange()) { $0 += ClassChange($1.old, $1.new) },
            points: range
        )
    }
}
