@testable import TripDisclosure

/// The audit linear programme: computes the greatest value that a hidden count can have in any
/// table of non-negative counts that agrees with all shown numbers.
///
/// The attacker also knows that a sum of costs or miles has trips behind it, and excludes every
/// table in which such trips are missing from a cell, as their costs would have to be elsewhere.
///
/// The attacker also knows that every listed month, type and region has a trip.
///
/// The audit does not use the method of suppression. Its unknowns are the finest counts, of which
/// all others are sums, and it moves from the true table along all directions that change no shown
/// number.
struct LinearProgrammeAudit {
    /// The positions of the unknowns.
    private let atoms: [Int]
    /// For each hidden position, the unknowns that it adds up.
    private let sums: [Int: [Int]]
    private let truth: [Double]
    /// How far each unknown may fall.
    private let slack: [Double]
    /// For each listed value and each sum of merged regions, the unknowns of its trips, and
    /// the number of them that may be missing.
    private let listed: [(atoms: [Int], slack: Double)]
    /// The directions that change no shown number.
    private let directions: [[Double]]
    private let cube: GuardedCube

    /// - Parameters:
    ///   - cube: The published cube.
    ///   - merged: Regions that are published as one: where trips with costs or miles are missing
    ///     from one of them, the costs can be those of another one.
    init(_ cube: GuardedCube, merged: Set<String> = []) {
        let grid = cube.grid
        let finest = grid.finestSlots(within: grid.slotCount - 1)
        let atoms = finest.flatMap { slot in
            (0..<CellCounts.size).filter(CellCounts.isAtom).map { slot * CellCounts.size + $0 }
        }
        let order = Dictionary(uniqueKeysWithValues: zip(atoms, 0...))
        func sum(_ position: Int) -> [Int] {
            let (slot, count) = (position / CellCounts.size, position % CellCounts.size)
            return grid.finestSlots(within: slot).flatMap { finest in
                Self.parts[count].compactMap { order[finest * CellCounts.size + $0] }
            }
        }
        var rows = cube.counts.indices.filter { !cube.isHidden[$0] }.map { position in
            Self.row(plus: sum(position), minus: [], atoms.count)
        }
        for slot in finest {
            // Trips by class are the trips by miles, those with a known cost and the others.
            let position = slot * CellCounts.size
            for cost in 0..<2 {
                let miles = (0..<2).compactMap { miles in
                    order[position + CellCounts.known(cost: cost, miles: miles)]
                }
                rows.append(
                    Self.row(
                        plus: sum(position + CellCounts.costed + cost),
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
        slack = atoms.map { atom in
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
                    let position = slot * CellCounts.size + CellCounts.trips
                    return (sum(position), Double(cube.counts[position] - 1))
                }
            }
        directions = Self.directions(rows, atoms.count)
    }

    /// The small counts for which it finds no other table with a greater one.
    ///
    /// - Parameter isWhole: Whether the other table must consist of integers. The method moves from
    ///   corner to corner of all possible tables, most of which are integer, but not all.
    /// - Returns: Their positions.
    func disclosed(isWhole: Bool) -> [Int] {
        var open = cube.small
        var disclosed: [Int] = []
        while let first = open.first {
            // All together, as one table often raises many; one alone where that does not help.
            // Where that corner has fractions, a nearer one has none.
            for (goal, most) in [(open, 100.0), ([first], 100), ([first], 2), ([first], 1)] {
                let table = greatest(goal, most: most)
                open.removeAll { isRaised($0, in: table, isWhole: isWhole) }
                if open.first != first { break }
            }
            if open.first == first { disclosed.append(open.removeFirst()) }
        }
        return disclosed
    }

    /// The greatest value of a hidden count, fractions allowed; at most a hundred more.
    func upperBound(_ position: Int) -> Double {
        value(position, greatest([position], most: 100))
    }

    private func value(_ position: Int, _ table: [Double]) -> Double {
        sums[position, default: []].reduce(0) { $0 + table[$1] }
    }

    private func isRaised(_ position: Int, in table: [Double], isWhole: Bool) -> Bool {
        if isWhole, table.contains(where: { abs($0 - Double(Int($0 + 0.5))) > 1e-6 }) {
            return false
        }
        return value(position, table) > Double(cube.counts[position]) + 1 - 1e-6
    }

    /// The table with the greatest sum of some counts, each atom counted as often as it occurs.
    private func greatest(_ positions: [Int], most: Double) -> [Double] {
        var goal = [Double](repeating: 0, count: atoms.count)
        for position in positions { for atom in sums[position, default: []] { goal[atom] += 1 } }
        // A direction may be used forwards and backwards: two unknowns that are not negative.
        let columns = directions.flatMap { [$0, $0.map { -$0 }] }
        let along = columns.map { column in zip(column, goal).reduce(0) { $0 + $1.0 * $1.1 } }
        // Without a limit of the gain there would be no greatest table.
        let steps = Simplex(
            slack: slack + listed.map(\.slack) + [most * Double(positions.count)],
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
        for position in plus { row[position] += 1 }
        for position in minus { row[position] -= 1 }
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

/// The simplex method in its simplest form, with Bland's rule, which prevents cycles.
///
/// It starts at the origin, which is feasible because no slack is negative.
struct Simplex {
    /// The slack of each number: the amount by which it may fall.
    let slack: [Double]
    /// For each unknown step, its change of each number.
    let columns: [[Double]]
    /// The change of the goal by each unknown step.
    let goal: [Double]

    /// The steps, none of them negative, that maximize the goal.
    func solved() -> [Double] {
        // Row by row: the remaining slack, as the slack plus the sum of free steps.
        var rows = slack.indices.map { row in columns.map { $0[row] } }
        var (left, goal) = (slack, goal)
        var free = Array(columns.indices)
        var bound = slack.indices.map { columns.count + $0 }
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
            guard let row = leave?.row else { preconditionFailure("the slack bounds every step") }
            // The pivot: the entering step is expressed by the leaving row.
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
