public import TripDomain

extension ServedCube {
    /// Takes the change between two months apart by one dimension.
    ///
    /// It is made of nothing but what this cube shows: groups of which a number is hidden in either
    /// month are taken together, as the total less all others, and are one group of the code
    /// ``KPICell/all``. So its reader could have computed every part.
    ///
    /// - Parameters:
    ///   - measure: What changed.
    ///   - from: The month that is compared with.
    ///   - to: The month whose number changed.
    ///   - dimension: The region or the trip type.
    ///   - filter: Which trips; its months are ignored.
    /// - Returns: The change; nil where a total that it is made of is hidden, and where no trips
    ///   can have these sums.
    public func change(
        of measure: ChangeMeasure,
        from: Month,
        to: Month,
        by dimension: KPIDimension,
        _ filter: ServedFilter
    ) -> ChangeDecomposition? {
        var (before, after) = (filter, filter)
        (before.months, after.months) = (from...from, to...to)
        guard var restBefore = cell(before).sums(showing: measure.sums),
            var restAfter = cell(after).sums(showing: measure.sums)
        else { return nil }
        let (cellsBefore, cellsAfter) = (cells(before, by: dimension), cells(after, by: dimension))
        var groups: [ComparedGroup] = []
        for value in Set(cellsBefore.keys).union(cellsAfter.keys) {
            guard
                let first = (cellsBefore[value] ?? .empty).sums(showing: measure.sums),
                let second = (cellsAfter[value] ?? .empty).sums(showing: measure.sums)
            else { continue }
            let name = String(decoding: value, as: UTF8.self)
            groups.append(ComparedGroup(value: name, from: first, to: second))
            restBefore -= first
            restAfter -= second
        }
        // All zeros where no number is hidden, and then of no part.
        groups.append(ComparedGroup(value: KPICell.all, from: restBefore, to: restAfter))
        return ChangeDecomposition(measure, of: groups)
    }

    /// The cells of the values of a dimension, as bytes.
    private func cells(
        _ filter: ServedFilter,
        by dimension: KPIDimension
    ) -> [[UInt8]: ServedCell] {
        let entries = dimension == .region ? byRegion(filter) : byTripType(filter)
        return Dictionary(entries.map { (Array($0.label.value.utf8), $0.cell) }) { $1 }
    }
}
