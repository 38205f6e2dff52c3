public import TripDomain
import TripMart
import TripPipeline

/// The change that each cause made, over all trips or in each group of the query.
public struct DifferenceTable: Sendable {
    /// The change that one cause made in one group.
    public struct Part: Sendable {
        /// The cause.
        public let cause: DifferenceCause
        /// Trips whose contribution to the group changed; nil where only totals are compared.
        public let trips: Int64?
        /// The change of the group's sums.
        public let change: KPISums
        /// The sums after it.
        public let after: KPISums
        /// Some of the trips.
        let samples: [DifferenceMove.Sample]
    }

    /// The months, types, regions, classes or bases of one row of an answer.
    public struct Group: Sendable {
        /// The words of the group, in the order of the query.
        public let keys: [String]
        /// The sums in the earlier generation.
        public let start: KPISums
        /// The sums in the later generation.
        public let end: KPISums
        /// The causes with a change in the group, in order.
        public let parts: [Part]
    }

    /// The groups with a change, by their keys; one group of all trips where the query has no
    /// grouping.
    public let groups: [Group]
    /// The number of groups that have trips in either generation.
    public let groupCount: Int
    /// The causes with a change in any group, in order.
    public let causes: [DifferenceCause]
    /// The declared measures, whether they moved or not, in each group that has trips in either
    /// generation; none where neither declares any.
    public let measures: [MeasureGroup]

    /// Sums up.
    ///
    /// - Parameters:
    ///   - difference: The trips by their causes.
    ///   - first: The earlier generation.
    ///   - second: The later one.
    ///   - query: The filters and the grouping.
    /// - Throws: `MartError` of the files, or where the parts do not lead from one generation to
    ///   the other.
    init(
        _ difference: GenerationDifference,
        _ first: ServedMart,
        _ second: ServedMart,
        _ query: KPIQuery
    ) throws(MartError) {
        let (first, last) = try (first.kpi(query), second.kpi(query))
        let (before, after) = (Self.sums(first), Self.sums(last))
        let hasMiles = !query.needsBasis
        let yearStart = try second.fiscalYearStart()
        let keys = difference.cellKeys.map { $0.keys(query, fiscalYearStart: yearStart) }
        let parts = difference.moves.map { Parts($0, keys, difference.cellKeys, hasMiles) }
        var all = Set(before.keys).union(after.keys)
        for part in parts { all.formUnion(part.changes.keys) }
        var groups: [Group] = []
        for key in all.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            var sums = before[key] ?? KPISums()
            var group: [Part] = []
            for (cause, part) in zip(difference.causes, parts) {
                guard let change = part.changes[key],
                    cause.kind != .together || change.trips != 0 || change.sums != KPISums()
                else { continue }
                sums += change.sums
                group.append(
                    Part(
                        cause: cause,
                        trips: change.trips,
                        change: change.sums,
                        after: sums,
                        samples: Array(
                            change.samples.sorted().prefix(DifferenceMove.Moved.sampleCount)
                        )
                    )
                )
            }
            // Every trip was followed from its old cell to its new one.
            guard sums == after[key] ?? KPISums() else { throw second.damaged }
            guard !group.isEmpty || query.by.isEmpty else { continue }
            groups.append(
                Group(
                    keys: key.map(\.text),
                    start: before[key] ?? KPISums(),
                    end: sums,
                    parts: group
                )
            )
        }
        self.groups = groups
        groupCount = all.count
        let found = Set(groups.flatMap(\.parts).map(\.cause))
        causes = difference.causes.filter { found.contains($0) }
        measures = Self.measureGroups(first, last)
    }

    /// Compares the totals of two generations of which one has no trips here.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    ///   - query: The filters and the grouping.
    /// - Throws: `MartError` of the files.
    init(
        ofTotals first: some SummaryReading,
        _ second: some SummaryReading,
        _ query: KPIQuery
    ) throws(MartError) {
        let (first, last) = try (first.kpi(query), second.kpi(query))
        let (before, after) = (Self.sums(first), Self.sums(last))
        let all = Set(before.keys).union(after.keys)
        let cause = DifferenceCause(kind: .totals, name: "exports and edits together")
        groups = all.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
            let start = before[key] ?? KPISums()
            let end = after[key] ?? KPISums()
            guard start != end || query.by.isEmpty else { return nil }
            var change = end
            change -= start
            let part = Part(cause: cause, trips: nil, change: change, after: end, samples: [])
            return Group(
                keys: key.map(\.text),
                start: start,
                end: end,
                parts: start == end ? [] : [part]
            )
        }
        groupCount = all.count
        causes = groups.allSatisfy(\.parts.isEmpty) ? [] : [cause]
        measures = Self.measureGroups(first, last)
    }

    /// The changes of a table by month, trip type and region, to be saved.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    /// - Returns: The changes.
    /// - Precondition: It is grouped by these three.
    func changes(from first: Int, to second: Int) -> GenerationChanges {
        GenerationChanges(
            from: first,
            to: second,
            causes: causes.map { GenerationChanges.Cause(kind: $0.kind.rawValue, name: $0.name) },
            cells: groups.flatMap { group in
                group.parts.compactMap { part in
                    causes.firstIndex(of: part.cause).map { cause in
                        GenerationChanges.Cell(
                            cause: cause,
                            month: group.keys[0],
                            tripType: group.keys[1],
                            region: group.keys[2],
                            sums: part.change
                        )
                    }
                }
            }
        )
    }

    private static func sums(_ table: KPITable) -> [[ByteText]: KPISums] {
        var sums: [[ByteText]: KPISums] = [:]
        for row in table.rows { sums[row.keys.map { ByteText($0) }] = row.sums }
        return sums
    }

    /// The changes that one cause made, by group.
    private struct Parts {
        struct Change {
            var trips: Int64 = 0
            var sums = KPISums()
            var samples: Set<DifferenceMove.Sample> = []
        }

        private(set) var changes: [[ByteText]: Change] = [:]

        init(
            _ move: DifferenceMove,
            _ keys: [[ByteText]?],
            _ cellKeys: [KPICellKey],
            _ hasMiles: Bool
        ) {
            func key(_ cellKey: UInt32) -> [ByteText]? {
                cellKey == KPICellKeys.none ? nil : keys[Int(cellKey) - 1]
            }
            func sums(_ added: TripSums, _ cellKey: UInt32) -> KPISums {
                KPISums(
                    hasMiles ? added : TripSums(added.costs),
                    of: cellKeys[Int(cellKey) - 1].tripClass
                )
            }
            for (way, moved) in move.ways {
                let (from, to) = (key(way.from), key(way.to))
                if let from {
                    changes[from, default: Change()].sums -= sums(moved.before, way.from)
                }
                if let to { changes[to, default: Change()].sums += sums(moved.after, way.to) }
                for group in Set([from, to].compactMap(\.self)) {
                    changes[group]?.trips += moved.trips
                    changes[group]?.samples.formUnion(moved.samples)
                }
            }
        }
    }
}

extension KPICellKey {
    /// The keys of its group; nil where the filters exclude it.
    ///
    /// - Parameters:
    ///   - query: The filters and the grouping.
    ///   - start: The month that fiscal years begin with, from 1.
    /// - Returns: The keys.
    func keys(
        _ query: KPIQuery,
        fiscalYearStart start: Int = Month.federalYearStart
    ) -> [ByteText]? {
        func isAmong(_ word: String, _ words: [String]) -> Bool {
            words.isEmpty || words.contains { ByteText($0) == ByteText(word) }
        }
        guard query.months?.contains(month) ?? true, isAmong(tripType, query.tripTypes),
            isAmong(region, query.regions), isAmong(basis, query.bases),
            query.classes.isEmpty || query.classes.contains(tripClass)
        else { return nil }
        return query.by.map { dimension in
            switch dimension {
            case .month: ByteText(month.text)
            case .tripType: ByteText(tripType)
            case .region: ByteText(region)
            case .tripClass: ByteText(tripClass.word)
            case .basis: ByteText(basis)
            case .fiscalYear: ByteText("\(month.fiscalYear(from: start))")
            case .year: ByteText("\(month.year)")
            }
        }
    }
}
