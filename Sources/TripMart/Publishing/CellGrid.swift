import TripDomain

/// One cell touched by a move, and the direction its counts take there.
struct SignedCell {
    let index: Int
    let sign: Int
}

/// A total and the parts that add up to it, by the places of their counts: a cell's index times
/// ``CellCounts/size`` plus the count.
struct CellLine {
    let total: Int
    let parts: [Int]
}

/// Finds a cube's cells by their place in each dimension; the last place of each is `all`.
struct CellGrid {
    /// The number of values of each dimension, `all` not among them; also the place of `all`.
    let sizes: [Int]
    /// For each cell, its place in each dimension.
    let coordinates: [[Int]]
    private let cells: [Int32]

    init(_ cube: [KPICell]) {
        let keys = cube.map { [$0.month, $0.tripType, $0.region] }
        let values = (0..<3).map { dimension in
            Set(keys.map { $0[dimension] }).subtracting([KPICell.all]).sorted()
        }
        let places = values.map { values in
            Dictionary(uniqueKeysWithValues: zip(values + [KPICell.all], 0...))
        }
        let sizes = values.map(\.count)
        let coordinates = keys.map { key in
            (0..<3).map { places[$0][key[$0], default: sizes[$0]] }
        }
        var cells = [Int32](repeating: -1, count: sizes.reduce(1) { $0 * ($1 + 1) })
        for (index, coordinate) in coordinates.enumerated() {
            cells[Self.place(coordinate, sizes)] = Int32(index)
        }
        self.sizes = sizes
        self.coordinates = coordinates
        self.cells = cells
    }

    /// How many dimensions of a cell are rolled up.
    func rolledUpCount(_ cell: Int) -> Int {
        (0..<3).count { coordinates[cell][$0] == sizes[$0] }
    }

    /// The cell beside another: the same but for one dimension; nil where it has no trips.
    func cell(_ cell: Int, _ dimension: Int, _ value: Int) -> Int? {
        var coordinate = coordinates[cell]
        coordinate[dimension] = value
        return index(coordinate)
    }

    /// The eight cells of a move, from the partner chosen in each dimension.
    ///
    /// A partner beside a value is a swap, and takes the other sign; a partner above or below
    /// (where either of the two is `all`) is a lift, and takes the same.
    ///
    /// - Returns: nil where one of them has no trips: an absent row says zero, and so cannot move.
    func product(_ cell: Int, _ partners: [Int]) -> [SignedCell]? {
        var found: [SignedCell] = []
        found.reserveCapacity(8)
        for corner in 0..<8 {
            var coordinate = coordinates[cell]
            var sign = 1
            for dimension in 0..<3 where corner >> dimension & 1 == 1 {
                let all = sizes[dimension]
                if coordinate[dimension] != all, partners[dimension] != all { sign = -sign }
                coordinate[dimension] = partners[dimension]
            }
            guard let index = index(coordinate) else { return nil }
            found.append(SignedCell(index: index, sign: sign))
        }
        return found
    }

    /// Partners that lift in every dimension: `all` beside a value, and for what is rolled up the
    /// place of the first finer cell that has trips.
    func liftPartners(_ cell: Int) -> [Int] {
        let coordinate = coordinates[cell]
        let finest = coordinates.first { isFinest($0, within: coordinate) } ?? sizes
        return (0..<3).map { dimension -> Int in
            let all = sizes[dimension]
            return coordinate[dimension] == all ? finest[dimension] : all
        }
    }

    /// All sums over the values of one dimension, for every count.
    func lines() -> [CellLine] {
        var lines: [CellLine] = []
        for cell in coordinates.indices {
            for dimension in 0..<3 where coordinates[cell][dimension] == sizes[dimension] {
                let parts = (0..<sizes[dimension]).compactMap { self.cell(cell, dimension, $0) }
                for count in 0..<CellCounts.size {
                    lines.append(
                        CellLine(
                            total: cell * CellCounts.size + count,
                            parts: parts.map { $0 * CellCounts.size + count }
                        )
                    )
                }
            }
        }
        return lines
    }

    private func isFinest(_ other: [Int], within coordinate: [Int]) -> Bool {
        (0..<3).allSatisfy { dimension -> Bool in
            let all = sizes[dimension]
            let place = coordinate[dimension]
            return other[dimension] != all && (place == all || place == other[dimension])
        }
    }

    private func index(_ coordinate: [Int]) -> Int? {
        let index = cells[Self.place(coordinate, sizes)]
        return index < 0 ? nil : Int(index)
    }

    private static func place(_ coordinate: [Int], _ sizes: [Int]) -> Int {
        (coordinate[0] * (sizes[1] + 1) + coordinate[1]) * (sizes[2] + 1) + coordinate[2]
    }
}
