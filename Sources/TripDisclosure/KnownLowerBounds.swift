/// The trips that every alternative table keeps, because a reader knows of them (lower external
/// bounds).
///
/// Where trips have costs or miles, one of them stays in the finest cell, so that their sum can
/// stay as well. And at least one trip stays of every listed month, type and region, since a value
/// is listed only where it has trips: of eleven regions with eleven trips together, each would have
/// one. A combined value keeps as many trips as it has members.
struct KnownLowerBounds {
    /// By position, the number of trips that stay.
    private(set) var leastCounts: [Int64]

    /// Chooses the trips.
    ///
    /// - Parameters:
    ///   - grid: The grid of all cells.
    ///   - counts: The true counts by position.
    ///   - leastTrips: For each dimension and value, the number of trips that a reader knows it to
    ///     have; it has at least as many.
    /// - Complexity: O(*s* log *s*) for *s* slots.
    init(_ grid: CellGrid, counts: [Int64], leastTrips: [[Int64]]) {
        leastCounts = counts.indices.map {
            counts[$0] > 0 && CellCounts.hasAmount[$0 % CellCounts.size] ? 1 : 0
        }
        for dimension in 0..<3 {
            for value in 0..<grid.all(dimension) {
                let slot =
                    grid.slotCount - 1
                    - (grid.all(dimension) - value) * grid.strides[dimension]
                keep(leastTrips[dimension][value], of: grid.finestSlots(within: slot), counts)
            }
        }
    }

    /// Keeps a number of trips in the finest cells of a value: in the cells that have most.
    private mutating func keep(_ least: Int64, of slots: [Int], _ counts: [Int64]) {
        let atoms = slots.flatMap { slot in
            CellCounts.classAtoms.map { slot * CellCounts.size + $0 }
        }
        var missing = least - atoms.reduce(0) { $0 + leastCounts[$1] }
        guard missing > 0 else { return }
        let order = atoms.filter { counts[$0] > leastCounts[$0] }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }
        for position in order where missing > 0 {
            let added = min(missing, counts[position] - leastCounts[position])
            leastCounts[position] += added
            missing -= added
        }
    }
}
