import TripDomain

/// National totals for an account that sees every number of some regions.
extension ServedCube {
    /// The cube for an account that sees every number of its own regions, and national totals.
    ///
    /// An account that sees its own regions unsuppressed can derive the sum of all other regions by
    /// subtraction. So a total is shown only where the suppressed cube hides no part of it and the
    /// other regions have no small count in it; and of a month either all trip types or none are
    /// shown: a hidden one could be derived from the others.
    ///
    /// - Parameters:
    ///   - suppressed: The suppressed cube of the same generation; `self` is the unsuppressed one.
    ///   - regions: The account's own regions.
    ///   - least: The smallest count that may be shown, besides 0.
    /// - Returns: The account's own regions unsuppressed, and the totals that may be shown.
    /// - Complexity: O(*n*) in the cells.
    func beside(
        totalsOf suppressed: ServedCube,
        own regions: Set<String>,
        showing least: Int
    ) -> ServedCube {
        let own = regions.compactMap(cubeIndex.position(ofRegion:)).sorted()
        var cells = CubeTable<ServedCell>(cubeIndex)
        for (key, cell) in self.cells.entries where own.contains(key.region) {
            cells.set(cell, at: key)
        }
        let types = [0] + tripTypes.compactMap { cubeIndex.position(ofTripType: $0.value) }
        // One for each of the types, in order.
        var overMonths = types.map { _ in ServedCell.empty }
        for month in months.compactMap(cubeIndex.position(of:)) {
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
        return ServedCube(cubeIndex: cubeIndex, cells: cells)
    }
}
