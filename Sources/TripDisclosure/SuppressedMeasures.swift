public import TripDomain

/// The declared measures, for the groups of trips of which they may be shown.
///
/// Each is suppressed as a cost is: the trips whose value is known take the place of those with a
/// known cost, and their sum that of the cost. A count takes the place of a class: neither the
/// trips of which its condition holds nor the others may be few.
///
/// What the suppressed cube shows of the trips themselves must not help: the groups of a month are
/// shown only where the suppression of each measure hides the trips of no group that the cube
/// shows. Then a reader of both knows no more than a reader of the measure's own table. Any other
/// month shows its total alone, from which nothing can be subtracted. A group shows all
/// measures or none: where two are known of the same trips, and one were hidden here and the other
/// there, both could be put together.
public struct SuppressedMeasures: Sendable {
    /// A measure of a group that is shown.
    public struct Row: Sendable, Hashable {
        /// `YYYY-MM` or `all`.
        public let month: String
        /// The trip type or `all`.
        public let tripType: String
        /// The region or `all`.
        public let region: String
        /// Its sums.
        public let sums: MeasureSums
        /// Its value.
        public let value: MeasureValue
    }

    /// The rows of each measure, by month, trip type and region.
    public let rows: [[Row]]

    /// Suppresses measures.
    ///
    /// - Parameters:
    ///   - measures: The measures with their sums.
    ///   - cube: All cells of all eight groupings.
    ///   - shown: The suppressed cube of these cells.
    ///   - threshold: The smallest count that may be shown, besides 0.
    ///   - slotLimit: As of ``SuppressedCube``.
    ///   - threads: The maximum number of threads.
    /// - Complexity: That of ``SuppressedCube`` for each measure.
    public init(
        _ measures: [MeasureGroups],
        _ cube: [KPICell],
        shown: SuppressedCube,
        threshold: Int,
        slotLimit: Int = SuppressedCube.slotLimit,
        threads: Int = .max
    ) {
        var visible = measures.isEmpty ? [] : Self.visible(shown, [.trips])
        var refused: Set<ValueBytes> = []
        // A mean and a median of one column are hidden alike.
        var known: [[KPICell]: SuppressedCube] = [:]
        for groups in measures {
            let cells = cube.map { Self.cell($0, groups) }
            let own =
                known[cells]
                ?? SuppressedCube(
                    cells,
                    threshold: threshold,
                    slotLimit: slotLimit,
                    threads: threads
                )
            known[cells] = own
            let isCount = groups.measure.kind == .count
            visible.formIntersection(
                Self.visible(own, [.trips, isCount ? .inHouseTrips : .costCents])
            )
            refused.formUnion(Self.monthsHidingMore(own, than: shown))
        }
        // The sums over all months contain each of them.
        let alone = refused.union(refused.isEmpty ? [] : [ValueBytes(KPICell.all)])
        visible = visible.filter { !alone.contains($0.month) }
        let totals = Self.totals(measures, cube, shown: shown, threshold: threshold)
        visible.formUnion(totals.filter { refused.contains($0.month) })
        let months = shown.months.map {
            MeasureGroups.Key(month: $0.month, tripType: KPICell.all, region: KPICell.all)
        }
        if !measures.isEmpty, visible.isSuperset(of: months) {
            visible.formUnion(totals.filter { $0.month == ValueBytes(KPICell.all) })
        }
        rows = measures.map { groups in
            cube.compactMap { cell in
                let key = cell.measureKey
                guard visible.contains(key) else { return nil }
                let group = groups.groups[key] ?? MeasureGroups.Group()
                return Row(
                    month: cell.month,
                    tripType: cell.tripType,
                    region: cell.region,
                    sums: group.sums,
                    value: MeasureValue(groups.measure, group.sums, values: group.values)
                )
            }
        }
    }

    /// The totals over all types and regions that may be shown where nothing else of their month
    /// is: neither the trips behind a measure nor the others are few.
    private static func totals(
        _ measures: [MeasureGroups],
        _ cube: [KPICell],
        shown: SuppressedCube,
        threshold: Int
    ) -> [MeasureGroups.Key] {
        let visible = Self.visible(shown, [.trips])
        return cube.filter { cell in
            cell.tripType == KPICell.all && cell.region == KPICell.all
                && visible.contains(cell.measureKey)
                && measures.allSatisfy { groups in
                    let own = groups.groups[cell.measureKey]?.sums ?? MeasureSums()
                    let behind = groups.measure.kind == .count ? own.sum : own.knownTrips
                    return [behind, cell.sums.trips - behind].allSatisfy {
                        $0 == 0 || $0 >= threshold
                    }
                }
        }.map(\.measureKey)
    }

    /// A cell in which the measure takes the place of the cost, or of a class.
    private static func cell(_ cell: KPICell, _ groups: MeasureGroups) -> KPICell {
        let own = groups.groups[cell.measureKey]?.sums ?? MeasureSums()
        var sums = KPISums()
        sums[.trips] = cell.sums.trips
        if groups.measure.kind == .count {
            sums[.inHouseTrips] = own.sum
            sums[.contractedTrips] = cell.sums.trips - own.sum
        } else {
            sums[.contractedTrips] = cell.sums.trips
            sums[.contractedCostedTrips] = own.knownTrips
            (sums[.costCents], sums[.contractedCostCents]) = (own.sum, own.sum)
        }
        return KPICell(
            month: cell.month,
            tripType: cell.tripType,
            region: cell.region,
            sums: sums
        )
    }

    /// The months in which a cube hides the trips of a group that another one shows.
    private static func monthsHidingMore(
        _ cube: SuppressedCube,
        than other: SuppressedCube
    ) -> [ValueBytes] {
        func hidden(_ month: SuppressedMonth) -> Set<TypeRegionKey> {
            Set(month.rows.filter { $0.values[KPISum.trips.rawValue] == nil }.map(\.key))
        }
        let others = Dictionary(
            uniqueKeysWithValues: other.months.map { (ValueBytes($0.month), hidden($0)) }
        )
        return cube.months.compactMap { month in
            let name = ValueBytes(month.month)
            return hidden(month).isSubset(of: others[name] ?? []) ? nil : name
        }
    }

    /// The groups of which a suppressed cube shows some sums.
    private static func visible(
        _ cube: SuppressedCube,
        _ sums: [KPISum]
    ) -> Set<MeasureGroups.Key> {
        var keys: Set<MeasureGroups.Key> = []
        func add(_ month: String, _ rows: [SuppressedMonth.Row]) {
            for row in rows where sums.allSatisfy({ row.values[$0.rawValue] != nil }) {
                keys.insert(
                    MeasureGroups.Key(month: month, tripType: row.tripType, region: row.region)
                )
            }
        }
        for month in cube.months { add(month.month, month.rows) }
        add(KPICell.all, cube.rowsOverMonths)
        return keys
    }
}

extension KPICell {
    fileprivate var measureKey: MeasureGroups.Key {
        MeasureGroups.Key(month: month, tripType: tripType, region: region)
    }
}
