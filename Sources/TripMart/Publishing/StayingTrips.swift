/// The trips that every second table keeps where they are, because a reader knows of them.
///
/// Where trips have costs or miles one of them stays in the finest cell, so that the sum of these can
/// stay as well. And of every month, type and region that is listed at least one trip stays, since a
/// value is listed only where it has trips: of eleven regions that have eleven trips together each
/// would have one. A value that stands for many keeps as many trips as it stands for.
struct StayingTrips {
    /// By place, how many stay.
    private(set) var places: [Int64]

    /// Chooses them.
    ///
    /// - Parameters:
    ///   - grid: The box of all cells.
    ///   - counts: The true counts by place.
    ///   - leastTrips: For each dimension and value, how many trips a reader knows it to have; it has
    ///     at least as many.
    /// - Complexity: O(*s* log *s*) for *s* slots.
    init(_ grid: CellGrid, counts: [Int64], leastTrips: [[Int64]]) {
        places = counts.indices.map {
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

    /// Sees to it that some trips stay among the finest cells of a value: where there are most.
    private mutating func keep(_ least: Int64, of slots: [Int], _ counts: [Int64]) {
        let atoms = slots.flatMap { slot in
            CellCounts.classAtoms.map { slot * CellCounts.size + $0 }
        }
        var missing = least - atoms.reduce(0) { $0 + places[$1] }
        guard missing > 0 else { return }
        let order = atoms.filter { counts[$0] > places[$0] }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }
        for place in order where missing > 0 {
            let added = min(missing, counts[place] - places[place])
            places[place] += added
            missing -= added
        }
    }
}
