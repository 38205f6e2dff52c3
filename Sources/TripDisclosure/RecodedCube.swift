import TripDomain

/// The cube, recoded to so few trip types and regions that suppression takes seconds.
///
/// Where a cube is larger, the types or regions with the fewest trips are recoded to one value.
/// That value is treated like any other but is not written: of each recoded value only its
/// existence is published, so that the alternative tables keep at least one trip for each. The
/// totals stay complete. No reader can tell how the trips of the combined value are distributed
/// over its members.
struct RecodedCube {
    /// The cells, with the values of fewest trips combined into one.
    let cells: [KPICell]
    /// For type and region, in this order, the combined value; nil where there is none.
    let rest: [String?]
    /// For type and region, in this order, the values that were combined, sorted.
    let merged: [[String]]

    /// For type and region, the combined value, and the number of its members.
    var combinedValues: [(value: String?, count: Int)] {
        zip(rest, merged).map { ($0, $1.count) }
    }

    /// 4,000 slots, a month counted twice, by itself and as all months: 12 types in 150 regions.
    static let slotLimit = 4_000

    /// Recodes a cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - slotLimit: The maximum number of combinations of month, type and region, including
    ///     `all`.
    init(_ cube: [KPICell], slotLimit: Int = slotLimit) {
        let months = Set(cube.map { ValueBytes($0.month) }).count
        // The most trips first; at equal numbers, by name.
        let types = Self.ranked(cube.filter { $0.month == KPICell.all && $0.region == KPICell.all })
        {
            $0.tripType
        }
        let regions = Self.ranked(
            cube.filter { $0.month == KPICell.all && $0.tripType == KPICell.all }
        ) { $0.region }
        let counts = Self.counts([types.count, regions.count], slotLimit / max(1, months))
        let own = zip([types, regions], counts).map { values, count in
            values.count <= count ? values[...] : values.prefix(max(0, count - 1))
        }
        merged = zip([types, regions], own).map {
            $0.dropFirst($1.count).sorted { ValueBytes($0) < ValueBytes($1) }
        }
        rest = zip([types, regions], merged).map { $1.isEmpty ? nil : Self.newName($0) }
        cells =
            merged.allSatisfy(\.isEmpty)
            ? cube : Self.merge(cube, own.map { Set($0.map(ValueBytes.init)) }, rest)
    }

    /// The values of one dimension, by descending number of trips, without `all`.
    private static func ranked(_ cells: [KPICell], _ value: (KPICell) -> String) -> [String] {
        cells.filter { value($0) != KPICell.all }
            .sorted {
                ($1.sums.trips, ValueBytes(value($0))) < ($0.sums.trips, ValueBytes(value($1)))
            }
            .map(value)
    }

    /// The number of values of each dimension that fit, without `all`: the longer dimension is cut
    /// first.
    private static func counts(_ counts: [Int], _ limit: Int) -> [Int] {
        if (counts[0] + 1) * (counts[1] + 1) <= limit { return counts }
        var side = 1
        while (side + 1) * (side + 1) <= limit { side += 1 }
        if counts[0] < side { return [counts[0], max(1, limit / (counts[0] + 1) - 1)] }
        if counts[1] < side { return [max(1, limit / (counts[1] + 1) - 1), counts[1]] }
        return [max(1, side - 1), max(1, side - 1)]
    }

    /// A name that differs from all values.
    private static func newName(_ values: [String]) -> String {
        var name = "others"
        while values.contains(name) { name += "-" }
        return name
    }

    private static func merge(
        _ cube: [KPICell],
        _ own: [Set<ValueBytes>],
        _ rest: [String?]
    ) -> [KPICell] {
        var sums: [[ValueBytes]: KPISums] = [:]
        for cell in cube {
            var key = [cell.month, cell.tripType, cell.region]
            for dimension in 0..<2 {
                let value = key[dimension + 1]
                if let rest = rest[dimension], value != KPICell.all,
                    !own[dimension].contains(ValueBytes(value))
                {
                    key[dimension + 1] = rest
                }
            }
            sums[key.map(ValueBytes.init), default: KPISums()] += cell.sums
        }
        return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, sums in
            KPICell(month: key[0].text, tripType: key[1].text, region: key[2].text, sums: sums)
        }
    }
}
