public import TripDomain
import TripMart
import TripPipeline

extension DifferenceTable {
    /// What the declared measures read in one group before and after.
    public struct MeasureGroup: Sendable {
        /// The words of the group, in the order of the query.
        public let keys: [String]
        /// The trips of the group in the earlier generation.
        public let tripsBefore: Int64
        /// The trips of the group in the later generation.
        public let tripsAfter: Int64
        /// The measures.
        public let changes: [MeasureChange]
    }

    /// Pairs the measures of two answers, group by group.
    ///
    /// - Parameters:
    ///   - before: The answer of the earlier generation.
    ///   - after: The answer of the later one to the same query.
    /// - Returns: The groups that have trips in either, by their keys; none where no measure is
    ///   declared.
    static func measureGroups(_ before: KPITable, _ after: KPITable) -> [MeasureGroup] {
        guard !(before.measures.isEmpty && after.measures.isEmpty) else { return [] }
        let (old, new) = (rows(before), rows(after))
        let keys = Set(old.keys).union(new.keys).sorted { $0.lexicographicallyPrecedes($1) }
        return keys.map { key in
            MeasureGroup(
                keys: key.map(\.text),
                tripsBefore: old[key]?.sums.trips ?? 0,
                tripsAfter: new[key]?.sums.trips ?? 0,
                changes: MeasureChange.all(before.states(of: old[key]), after.states(of: new[key]))
            )
        }
    }

    private static func rows(_ table: KPITable) -> [[ByteText]: KPIRow] {
        Dictionary(uniqueKeysWithValues: table.rows.map { ($0.keys.map { ByteText($0) }, $0) })
    }
}

extension KPITable {
    /// The measures with their values in a group.
    ///
    /// - Parameter row: The group; nil where it has no trips.
    /// - Returns: The measures, in the pipeline's order.
    func states(of row: KPIRow?) -> [MeasureChange.State] {
        measures.indices.map { number in
            let measure = measures[number]
            let value = row?.measures[number] ?? MeasureValue(measure, MeasureSums())
            return MeasureChange.State(measure, value)
        }
    }
}
