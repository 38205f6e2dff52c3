import TripDomain

/// The rows of one month for other readers, as its own trips decide them and nothing else.
///
/// What is hidden in a month follows from the trips of that month and the least count alone, so that it stays
/// the same in every generation in which the month does: whoever keeps yesterday's rows learns
/// nothing from today's. `docs/decisions/0028-a-month-by-itself.md` has the reasons.
struct SuppressedMonth {
    /// What is published of one trip type in one region, `all` among them.
    struct Row {
        let tripType: String
        let region: String
        /// In the order of ``CubeTables/sumColumns``; nil where a number is hidden.
        let values: [Int64?]

        static let hidden: [Int64?] = CubeTables.sumColumns.map { _ in nil }
        static let zero: [Int64?] = CubeTables.sumColumns.map { _ in 0 }
    }

    let month: String
    /// Those that have trips, or in which something is hidden, by trip type and region: that a row is there
    /// must not say that it has trips.
    let rows: [Row]
    /// For type and region, in this order, the values of which the month's total is all that is there.
    let merged: [Set<ValueBytes>]

    /// Decides for one month.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - cells: Its cells of all four groupings by trip type and region.
    ///   - threshold: The least count that may be shown, beside 0.
    ///   - slotLimit: The most combinations of type and region, each counted twice.
    /// - Complexity: O(*s*²) for *s* combinations.
    init(_ month: String, _ cells: [KPICell], threshold: Int, slotLimit: Int) {
        self.month = month
        // A cube whose months are this one alone: its totals over months are the month's.
        let cube = BoundedCube(
            cells
                + cells.map {
                    KPICell(
                        month: KPICell.all,
                        tripType: $0.tripType,
                        region: $0.region,
                        sums: $0.sums
                    )
                },
            slotLimit: slotLimit
        )
        let small = SmallCells(
            cube.cells,
            threshold: threshold,
            standingForMany: cube.standingForMany
        )
        let grid = small.grid
        let sums = Dictionary(uniqueKeysWithValues: zip(grid.slots, cube.cells.map(\.sums)))
        var rows: [Row] = []
        for slot in 0..<grid.slotCount {
            let key = grid.key(slot)
            if key[0] == KPICell.all || key[1] == cube.rest[0] || key[2] == cube.rest[1] {
                continue
            }
            let values = zip(CubeTables.values(sums[slot] ?? KPISums()), Self.countsBehind).map {
                $1.contains { small.isHidden(slot: slot, count: $0) } ? nil : $0
            }
            if sums[slot] == nil, !values.contains(nil) { continue }
            rows.append(Row(tripType: key[1], region: key[2], values: values))
        }
        let all = KPICell.all
        rows += cube.merged[0].map { Row(tripType: $0, region: all, values: Row.hidden) }
        rows += cube.merged[1].map { Row(tripType: all, region: $0, values: Row.hidden) }
        self.rows = rows.sorted { $0.place < $1.place }
        merged = cube.merged.map { Set($0.map(ValueBytes.init)) }
    }

    /// Shows every number of a month.
    init(whole month: String, _ cells: [KPICell]) {
        self.month = month
        rows = cells.map { cell in
            Row(
                tripType: cell.tripType,
                region: cell.region,
                values: CubeTables.values(cell.sums)
            )
        }
        merged = [[], []]
    }

    /// What the month adds to a sum over months that has no row of its own here: no trips, or none that may be known.
    func valuesBesideRows(_ place: SuppressedPlace) -> [Int64?] {
        let isMerged = merged[0].contains(place.tripType) || merged[1].contains(place.region)
        return isMerged ? Row.hidden : Row.zero
    }

    /// For each sum of the cube, the counts it must be hidden with: a cost goes with the number of
    /// trips whose cost is known, a distance with the number of trips whose miles are known, and
    /// what has to do with both with the number of those that have both.
    static let countsBehind: [[Int]] = {
        let known = CellCounts.costed
        let classes = (0..<3).map { [CellCounts.ofClass($0)] }
        let costed = (0..<3).map { [CellCounts.ofClass($0, cost: 0)] }
        let miles = [CellCounts.milesKnown]
        let both = [CellCounts.bothKnown]
        return [[CellCounts.trips]] + classes + [[known]] + costed + costed + [miles, miles]
            + [both, both, both]
    }()
}

extension SuppressedMonth.Row {
    /// Where it stands among the rows of its month.
    var place: SuppressedPlace {
        SuppressedPlace(tripType: ValueBytes(tripType), region: ValueBytes(region))
    }
}

/// A trip type and a region, in the order of rows.
struct SuppressedPlace: Hashable, Comparable {
    let tripType: ValueBytes
    let region: ValueBytes

    static func < (left: SuppressedPlace, right: SuppressedPlace) -> Bool {
        left.tripType == right.tripType
            ? left.region < right.region : left.tripType < right.tripType
    }
}
