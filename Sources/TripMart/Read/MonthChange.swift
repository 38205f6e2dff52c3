public import TripDomain

/// The changes between two months, taken apart by one dimension.
public struct MonthChange: Sendable, Hashable {
    /// The dimension: the region or the trip type.
    public let dimension: KPIDimension
    /// The change of each measure, in the order of ``ChangeMeasure``.
    public let changes: [ChangeDecomposition]
}

extension SummaryReading {
    /// Takes the changes between two months apart by one dimension.
    ///
    /// - Parameters:
    ///   - from: The month that is compared with.
    ///   - to: The month whose numbers changed.
    ///   - dimension: The dimension.
    ///   - filters: Which trips; its months and its grouping are ignored.
    /// - Returns: The changes.
    /// - Throws: ``MartError`` of the file; with code `damaged` where no trips can have its sums.
    public func change(
        from: Month,
        to: Month,
        by dimension: KPIDimension,
        _ filters: KPIQuery
    ) throws(MartError) -> MonthChange {
        let (before, after) = (
            try sums(of: from, by: dimension, filters), try sums(of: to, by: dimension, filters)
        )
        let groups = Set(before.keys).union(after.keys).map { value in
            ComparedGroup(
                value: String(decoding: value, as: UTF8.self),
                from: before[value] ?? KPISums(),
                to: after[value] ?? KPISums()
            )
        }
        let changes = ChangeMeasure.allCases.compactMap { ChangeDecomposition($0, of: groups) }
        guard changes.count == ChangeMeasure.allCases.count else { throw file.damaged() }
        return MonthChange(dimension: dimension, changes: changes)
    }

    /// The sums of a month by the values of a dimension, as bytes: texts that are equal in Unicode
    /// are two values.
    private func sums(
        of month: Month,
        by dimension: KPIDimension,
        _ filters: KPIQuery
    ) throws(MartError) -> [[UInt8]: KPISums] {
        var query = filters
        (query.months, query.by) = (month...month, [dimension])
        let rows = try kpi(query).rows
        return Dictionary(rows.map { (Array($0.keys[0].utf8), $0.sums) }) { $1 }
    }
}
