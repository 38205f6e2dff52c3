import TripDomain

/// Totals over all regions for somebody who knows every number of some.
extension ServedCube {
    /// What somebody may see who sees every number of their own regions and totals over all.
    ///
    /// Whoever knows their own regions whole knows by subtraction what all others have together. So a total is shown where
    /// the suppressed cube hides nothing of it and the others have no small count in it, else not at all; and of a month
    /// either all trip types or none: what is hidden of one would follow from the others.
    ///
    /// - Parameters:
    ///   - suppressed: The suppressed cube of the same generation; this is the whole one.
    ///   - regions: Their own regions.
    ///   - least: The least count that may be shown, beside 0.
    /// - Returns: Their own regions as they are, and the totals that may be shown.
    /// - Complexity: O(*n*) in the cells.
    func beside(
        totalsOf suppressed: ServedCube,
        own regions: Set<String>,
        showing least: Int
    ) -> ServedCube {
        let own = regions.compactMap(places.place(ofRegion:)).sorted()
        var cells = CubeTable<ServedCell>(places)
        for (key, cell) in self.cells.entries where own.contains(key.region) {
            cells.set(cell, at: key)
        }
        let types = [0] + tripTypes.compactMap { places.place(ofTripType: $0.value) }
        // Of each of the types, in their order.
        var overMonths = types.map { _ in ServedCell.empty }
        for month in months.compactMap(places.place(of:)) {
            let totals = types.map { type -> ServedCell in
                let all = suppressed.cell(CubeKey(month: month, tripType: type, region: 0))
                let known = own.reduce(into: ServedCell.empty) { sum, region in
                    sum += cell(CubeKey(month: month, tripType: type, region: region))
                }
                let isSafe = !all.isSuppressed && all.leavesNoCount(below: least, beside: known)
                return isSafe ? all : .concealed
            }
            let isEveryTypeShown = !totals.dropFirst().contains(.concealed)
            for (index, type) in types.enumerated() {
                let shown = type == 0 || isEveryTypeShown ? totals[index] : .concealed
                cells.set(shown, at: CubeKey(month: month, tripType: type, region: 0))
                overMonths[index] += shown
            }
        }
        for (type, total) in zip(types, overMonths) {
            cells.set(total, at: CubeKey(month: 0, tripType: type, region: 0))
        }
        return ServedCube(places: places, cells: cells)
    }
}
