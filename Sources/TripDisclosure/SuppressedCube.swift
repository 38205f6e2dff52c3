public import TripDomain

/// The cube with small cells suppressed: every month is suppressed by itself, and the sums over
/// months contain only what the months show.
public struct SuppressedCube: Sendable {
    /// The months, each with the numbers it shows.
    public let months: [SuppressedMonth]

    /// The maximum number of combinations of trip type and region that a month is suppressed
    /// with: 12 types in 150 regions, counted by month and over all months.
    public static let slotLimit = RecodedCube.slotLimit

    /// Suppresses a cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The smallest count that may be shown, besides 0; 0 and 1 hide nothing.
    ///   - slotLimit: The maximum number of combinations of type and region of a month, each
    ///     counted twice.
    ///   - threads: The maximum number of threads.
    /// - Complexity: O(*m* *s*²) for *m* months of *s* combinations.
    public init(
        _ cube: [KPICell],
        threshold: Int,
        slotLimit: Int = SuppressedCube.slotLimit,
        threads: Int = .max
    ) {
        let cells = Dictionary(grouping: cube) { ValueBytes($0.month) }
        let names = cells.keys.filter { $0.text != KPICell.all }.sorted()
        months = Parallel.map(names.count, threads: threads) { index in
            let (name, own) = (names[index].text, cells[names[index], default: []])
            return threshold <= 1
                ? SuppressedMonth(whole: name, own)
                : SuppressedMonth(name, own, threshold: threshold, slotLimit: slotLimit)
        }
    }

    /// The sums over the months, each hidden where a month hides its part.
    ///
    /// So they disclose nothing that the months do not. The true sums would disclose a number that
    /// one month hides, and the suppressions against that would differ between generations.
    public var rowsOverMonths: [SuppressedMonth.Row] {
        let rows = months.map { month in
            Dictionary(uniqueKeysWithValues: month.rows.map { ($0.key, $0.values) })
        }
        return Set(rows.flatMap(\.keys)).sorted().map { key in
            let parts = zip(months, rows).map { month, rows in
                rows[key] ?? month.valuesBesideRows(key)
            }
            return SuppressedMonth.Row(
                tripType: key.tripType.text,
                region: key.region.text,
                values: parts.reduce(SuppressedMonth.Row.zero) { sums, part in
                    zip(sums, part).map { sum, value in
                        sum.flatMap { sum in value.map { sum + $0 } }
                    }
                }
            )
        }
    }
}

/// The published rows of one month, which depend on its own trips alone.
///
/// What is hidden in a month follows from the trips of that month and the least count alone, so
/// that it stays the same in every generation in which the month does: a reader who keeps
/// yesterday's rows learns nothing from today's.
/// `docs/decisions/0027-small-counts-cannot-be-derived.md` has the reasons.
public struct SuppressedMonth: Sendable {
    /// The published numbers of one trip type in one region, either of which may be `all`.
    public struct Row: Sendable {
        /// The trip type, or `all`.
        public let tripType: String
        /// The region, or `all`.
        public let region: String
        /// In the order of ``KPISum``; nil where a number is hidden.
        public let values: [Int64?]

        /// Whether a number is hidden that would be shown if its counts were larger.
        public var isSuppressed: Bool { Self.isSuppressed(values) }

        fileprivate static func isSuppressed(_ values: [Int64?]) -> Bool {
            KPISum.allCases.contains {
                values[$0.rawValue] == nil && CellCounts.protectedSums.contains($0)
            }
        }

        static let hidden: [Int64?] = KPISum.allCases.map { _ in nil }
        static let zero: [Int64?] = KPISum.allCases.map { _ in 0 }
    }

    /// The month, `YYYY-MM`.
    public let month: String
    /// The rows that have trips, or in which a number is hidden, by trip type and region: the
    /// existence of a row must not disclose that it has trips.
    public let rows: [Row]
    /// For type and region, in this order, the values of which only the month's total exists.
    let merged: [Set<ValueBytes>]

    /// Suppresses one month.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - cells: Its cells of all four groupings by trip type and region.
    ///   - threshold: The smallest count that may be shown, besides 0.
    ///   - slotLimit: The maximum number of combinations of type and region, each counted twice.
    /// - Complexity: O(*s*²) for *s* combinations.
    init(_ month: String, _ cells: [KPICell], threshold: Int, slotLimit: Int) {
        self.month = month
        // A cube with this month alone: its totals over months are the month's.
        let cube = RecodedCube(
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
        let small = CellSuppression(
            cube.cells,
            threshold: threshold,
            combinedValues: cube.combinedValues
        )
        let grid = small.grid
        let sums = Dictionary(uniqueKeysWithValues: zip(grid.slots, cube.cells.map(\.sums)))
        var rows: [Row] = []
        for slot in 0..<grid.slotCount {
            let key = grid.key(slot)
            if key[0] == KPICell.all || key[1] == cube.rest[0] || key[2] == cube.rest[1] {
                continue
            }
            let values = zip((sums[slot] ?? KPISums()).values, Self.countsBehind).map {
                value,
                count -> Int64? in
                count.map { small.isHidden(slot: slot, count: $0) } ?? true ? nil : value
            }
            if sums[slot] == nil, !Row.isSuppressed(values) { continue }
            rows.append(Row(tripType: key[1], region: key[2], values: values))
        }
        let all = KPICell.all
        rows += cube.merged[0].map { Row(tripType: $0, region: all, values: Row.hidden) }
        rows += cube.merged[1].map { Row(tripType: all, region: $0, values: Row.hidden) }
        self.rows = rows.sorted { $0.key < $1.key }
        merged = cube.merged.map { Set($0.map(ValueBytes.init)) }
    }

    /// Shows every number of a month.
    init(whole month: String, _ cells: [KPICell]) {
        self.month = month
        rows = cells.map { cell in
            Row(
                tripType: cell.tripType,
                region: cell.region,
                values: cell.sums.values
            )
        }
        merged = [[], []]
    }

    /// The part of the month in a sum over months for which it has no row: no trips, or a hidden
    /// number.
    func valuesBesideRows(_ key: TypeRegionKey) -> [Int64?] {
        let isMerged = merged[0].contains(key.tripType) || merged[1].contains(key.region)
        return isMerged ? Row.hidden : Row.zero
    }

    /// For each sum of the cube, the count that hides it; nil where the sum is never shown.
    static let countsBehind = KPISum.allCases.map { CellCounts.count(behind: $0) }
}

extension SuppressedMonth.Row {
    /// The sort key of the row in its month.
    var key: TypeRegionKey {
        TypeRegionKey(tripType: ValueBytes(tripType), region: ValueBytes(region))
    }
}

/// A trip type and a region, in the order of rows.
struct TypeRegionKey: Hashable, Comparable {
    let tripType: ValueBytes
    let region: ValueBytes

    static func < (left: TypeRegionKey, right: TypeRegionKey) -> Bool {
        left.tripType == right.tripType
            ? left.region < right.region : left.tripType < right.tripType
    }
}
