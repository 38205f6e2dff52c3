@testable import TripMart

/// Solves the published cube as a linear programme: the greatest value that a hidden count can have
/// in any table of counts that are not negative and agree with all that is shown.
///
/// He also knows that a sum of costs or miles has trips behind it: he rules out every table in which
/// such trips are gone from a cell, as their costs would have to be somewhere else.
///
/// And he knows that every month, type and region that is listed has a trip.
///
/// It knows nothing of how the cells were hidden. Its unknowns are the finest counts of which all
/// others are sums, and it goes from the true table along all directions that no shown number sees.
struct ProgrammeAttack {
    /// The places of the unknowns.
    private let atoms: [Int]
    /// For each hidden place, the unknowns it adds up.
    private let sums: [Int: [Int]]
    private let truth: [Double]
    /// How far each unknown may fall.
    private let room: [Double]
    /// For each listed value and each sum of merged regions, the unknowns that are its trips, and
    /// how many of them may go.
    private let listed: [(atoms: [Int], room: Double)]
    /// The directions that change nothing that is shown.
    private let directions: [[Double]]
    private let cube: GuardedCube

    /// - Parameters:
    ///   - cube: What is published.
    ///   - merged: Regions that are published as one: where trips with costs or miles are gone from
    ///     one of them, the costs can be those of another one.
    init(_ cube: GuardedCube, merged: Set<String> = []) {
        let grid = cube.grid
        let finest = grid.finestSlots(within: grid.slotCount - 1)
        let atoms = finest.flatMap { slot in
            (0..<CellCounts.size).filter(CellCounts.isAtom).map { slot * CellCounts.size + $0 }
        }
        let order = Dictionary(uniqueKeysWithValues: zip(atoms, 0...))
        func sum(_ place: Int) -> [Int] {
            let (slot, count) = (place / CellCounts.size, place % CellCounts.size)
            return grid.finestSlots(within: slot).flatMap { finest in
                Self.parts[count].compactMap { order[finest * CellCounts.size + $0] }
            }
        }
        var rows = cube.counts.indices.filter { !cube.isHidden[$0] }.map { place in
            Self.row(plus: sum(place), minus: [], atoms.count)
        }
        for slot in finest {
            // Trips by class are the trips by miles, those with a known cost and the others.
            let place = slot * CellCounts.size
            for cost in 0..<2 {
                let miles = (0..<2).compactMap { miles in
                    order[place + CellCounts.known(cost: cost, miles: miles)]
                }
                rows.append(
                    Self.row(
                        plus: sum(place + CellCounts.costed + cost),
                        minus: miles,
                        atoms.count
                    )
                )
            }
        }
        self.atoms = atoms
        self.cube = cube
        sums = Dictionary(
            uniqueKeysWithValues: cube.counts.indices.filter { cube.isHidden[$0] }.map {
                ($0, sum($0))
            }
        )
        truth = atoms.map { Double(cube.counts[$0]) }
        func isMerged(_ atom: Int) -> Bool {
            merged.contains(grid.key(atom / CellCounts.size)[2])
        }
        func hasAmount(_ atom: Int) -> Bool {
            CellCounts.hasAmount[atom % CellCounts.size] && cube.counts[atom] > 0
        }
        room = atoms.map { atom in
            let stays = hasAmount(atom) && !isMerged(atom)
            return Double(cube.counts[atom] - (stays ? 1 : 0))
        }
        let together = Dictionary(grouping: atoms.filter { hasAmount($0) && isMerged($0) }) {
            atom in
            grid.key(atom / CellCounts.size).prefix(2) + ["\(atom % CellCounts.size)"]
        }
        let ofMerged = together.values.map { atoms in
            (atoms.compactMap { order[$0] }, Double(atoms.reduce(-1) { $0 + cube.counts[$1] }))
        }
        listed =
            ofMerged
            + (0..<3).flatMap { dimension in
                (0..<grid.all(dimension)).map { value in
                    let slot =
                        grid.slotCount - 1
                        - (grid.all(dimension) - value) * grid.strides[dimension]
                    let place = slot * CellCounts.size + CellCounts.trips
                    return (sum(place), Double(cube.counts[place] - 1))
                }
            }
        directions = Self.directions(rows, atoms.count)
    }

    /// The small counts for which it finds no other table with a greater one.
    ///
    /// - Parameter isWhole: Whether the other table must consist of whole numbers. The method goes
    ///   from corner to corner of all possible tables, of which most are whole, but not all.
    /// - Returns: Their places.
    func foundOut(isWhole: Bool) -> [Int] {
        var open = cube.small
        var foundOut: [Int] = []
        while let first = open.first {
            // All at once, as one table often raises many; one alone when that leads no further.
            // Where that corner has fractions, one nearer by has none.
            for (goal, most) in [(open, 100.0), ([first], 100), ([first], 2), ([first], 1)] {
                let table = greatest(goal, most: most)
                open.removeAll { isRaised($0, in: table, isWhole: isWhole) }
                if open.first != first { break }
            }
            if open.first == first { foundOut.append(open.removeFirst()) }
        }
        return foundOut
    }

    /// The greatest value of a hidden count, fractions allowed; at most a hundred more.
    func upperBound(_ place: Int) -> Double {
        value(place, greatest([place], most: 100))
    }

    private func value(_ place: Int, _ table: [Double]) -> Double {
        sums[place, default: []].reduce(0) { $0 + table[$1] }
    }

    private func isRaised(_ place: Int, in table: [Double], isWhole: Bool) -> Bool {
        if isWhole, table.contains(where: { abs($0 - Double(Int($0 + 0.5))) > 1e-6 }) {
            return false
        }
        return value(place, table) > Double(cube.counts[place]) + 1 - 1e-6
    }

    /// The table in which some counts add up to most, each atom counted as often as it occurs.
    private func greatest(_ places: [Int], most: Double) -> [Double] {
        var goal = [Double](repeating: 0, count: atoms.count)
        for place in places { for atom in sums[place, default: []] { goal[atom] += 1 } }
        // A direction may be gone forwards and backwards: two unknowns that are not negative.
        let columns = directions.flatMap { [$0, $0.map { -$0 }] }
        let along = columns.map { column in zip(column, goal).reduce(0) { $0 + $1.0 * $1.1 } }
        // Without a limit to what is gained there would be no greatest table.
        let steps = Simplex(
            room: room + listed.map(\.room) + [most * Double(places.count)],
            columns: zip(columns, along).map { column, gain in
                column + listed.map { $0.atoms.reduce(0) { $0 + column[$1] } } + [-gain]
            },
            goal: along
        ).solved()
        return truth.indices.map { atom in
            zip(columns, steps).reduce(truth[atom]) { $0 + $1.0[atom] * $1.1 }
        }
    }

    /// For each count, the atoms that add up to it.
    private static let parts = [
        [4, 5, 6, 7, 8, 9], [4, 5], [6, 7], [8, 9], [4], [5], [6], [7], [8], [9], [4, 6, 8],
        [5, 7, 9], [14, 16], [15, 17], [14], [15], [16], [17],
    ]

    private static func row(plus: [Int], minus: [Int], _ count: Int) -> [Double] {
        var row = [Double](repeating: 0, count: count)
        for place in plus { row[place] += 1 }
        for place in minus { row[place] -= 1 }
        return row
    }

    /// All independent ways to change the unknowns that leave every row at zero.
    static func directions(_ rows: [[Double]], _ count: Int) -> [[Double]] {
        var solved: [(pivot: Int, row: [Double])] = []
        for row in rows {
            var row = row
            for known in solved where row[known.pivot] != 0 {
                subtract(&row, known.row, row[known.pivot])
            }
            guard let pivot = row.firstIndex(where: { abs($0) > 1e-9 }) else { continue }
            let factor = row[pivot]
            for index in row.indices { row[index] /= factor }
            for index in solved.indices where solved[index].row[pivot] != 0 {
                subtract(&solved[index].row, row, solved[index].row[pivot])
            }
            solved.append((pivot, row))
        }
        let pivots = Set(solved.map(\.pivot))
        return (0..<count).filter { !pivots.contains($0) }.map { free in
            var direction = [Double](repeating: 0, count: count)
            direction[free] = 1
            for known in solved { direction[known.pivot] = -known.row[free] }
            return direction
        }
    }

    private static func subtract(_ row: inout [Double], _ other: [Double], _ factor: Double) {
        for index in row.indices where other[index] != 0 {
            row[index] -= factor * other[index]
            if abs(row[index]) < 1e-9 { row[index] = 0 }
        }
    }
}

/// The simplex method in its plainest form, by Bland's rule, which never goes in circles.
///
/// Begins where no step is taken, which the room allows: the room is never negative.
struct Simplex {
    /// How far each number may fall.
    let room: [Double]
    /// For each unknown step, what it adds to each number.
    let columns: [[Double]]
    /// What each unknown step adds to the goal.
    let goal: [Double]

    /// The steps, none of them negative, that bring the goal furthest.
    func solved() -> [Double] {
        // Row by row: what is left of the room, as room plus the sum of free steps.
        var rows = room.indices.map { row in columns.map { $0[row] } }
        var (left, goal) = (room, goal)
        var free = Array(columns.indices)
        var bound = room.indices.map { columns.count + $0 }
        while true {
            let better = goal.indices.filter { goal[$0] > 1e-9 }.min { free[$0] < free[$1] }
            guard let enter = better else { break }
            var leave: (row: Int, limit: Double)?
            for row in rows.indices where rows[row][enter] < -1e-9 {
                let limit = left[row] / -rows[row][enter]
                guard let old = leave else {
                    leave = (row, limit)
                    continue
                }
                let isTie = abs(limit - old.limit) < 1e-9
                if isTie ? bound[row] < bound[old.row] : limit < old.limit { leave = (row, limit) }
            }
            guard let row = leave?.row else { preconditionFailure("the room bounds every step") }
            // Exchange: the entering step becomes what the leaving row says it is.
            let factor = rows[row][enter]
            rows[row] = rows[row].map { -$0 / factor }
            rows[row][enter] = 1 / factor
            left[row] = -left[row] / factor
            for other in rows.indices where other != row && rows[other][enter] != 0 {
                let share = rows[other][enter]
                left[other] += share * left[row]
                Self.exchange(&rows[other], enter, share, rows[row])
            }
            let share = goal[enter]
            Self.exchange(&goal, enter, share, rows[row])
            swap(&free[enter], &bound[row])
        }
        var steps = [Double](repeating: 0, count: columns.count)
        for row in rows.indices where bound[row] < steps.count { steps[bound[row]] = left[row] }
        return steps
    }

    private static func exchange(
        _ row: inout [Double],
        _ enter: Int,
        _ share: Double,
        _ other: [Double]
    ) {
        for index in row.indices where other[index] != 0 {
            row[index] = index == enter ? share * other[index] : row[index] + share * other[index]
            if abs(row[index]) < 1e-9 { row[index] = 0 }
        }
    }
}
