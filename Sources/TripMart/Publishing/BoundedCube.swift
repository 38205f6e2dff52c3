import TripDomain

/// The cube with so few trip types and regions that small counts can be hidden in seconds.
///
/// Where a cube is larger than that, the types or regions of fewest trips become one, which is
/// treated like any other and not written: of each of them nothing is published but that it is
/// there, so that the second tables keep a trip for each. The totals stay whole. Nobody can tell how the
/// other trips of the one are spread over the many.
struct BoundedCube {
    /// The cells, with the values of fewest trips made one.
    let cells: [KPICell]
    /// For type and region, in this order, the value that stands for many; nil where none does.
    let rest: [String?]
    /// For type and region, in this order, the values it stands for, sorted.
    let merged: [[String]]

    /// For type and region, the value that stands for many, and for how many.
    var standingForMany: [(value: String?, count: Int)] {
        zip(rest, merged).map { ($0, $1.count) }
    }

    /// 4,000, a month counted twice, by itself and as all months: 12 types in 150 regions.
    static let slotLimit = 4_000

    /// Makes one.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - slotLimit: The most combinations of month, type and region, `all` among them.
    init(_ cube: [KPICell], slotLimit: Int = slotLimit) {
        let months = Set(cube.map { ValueBytes($0.month) }).count
        // The most trips first; where they are even, by name.
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

    /// Values of one dimension by falling number of trips, `all` left out.
    private static func ranked(_ cells: [KPICell], _ value: (KPICell) -> String) -> [String] {
        cells.filter { value($0) != KPICell.all }
            .sorted {
                ($1.sums.trips, ValueBytes(value($0))) < ($0.sums.trips, ValueBytes(value($1)))
            }
            .map(value)
    }

    /// How many values of each dimension fit, `all` not counted: the longer one is cut first.
    private static func counts(_ counts: [Int], _ room: Int) -> [Int] {
        if (counts[0] + 1) * (counts[1] + 1) <= room { return counts }
        var side = 1
        while (side + 1) * (side + 1) <= room { side += 1 }
        if counts[0] < side { return [counts[0], max(1, room / (counts[0] + 1) - 1)] }
        if counts[1] < side { return [max(1, room / (counts[1] + 1) - 1), counts[1]] }
        return [max(1, side - 1), max(1, side - 1)]
    }

    /// A name that no value has.
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
