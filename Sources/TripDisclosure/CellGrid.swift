import TripDomain

/// A total and the parts that add up to it, by their positions.
struct CellLine {
    let total: Int
    let start: Int
    /// The distances of the parts from `start`: one array for all lines of a kind.
    let distances: [Int]

    var parts: [Int] { distances.map { start + $0 } }
}

/// The cube as a dense grid: every combination of values has its *slot*, with or without trips.
///
/// The last value of each dimension is `all`. A count's *position* is its slot times
/// ``CellCounts/size`` plus the count's index.
struct CellGrid {
    /// The values of each dimension in order, `all` last.
    let values: [[String]]
    /// For each dimension, the distance of the slots of neighbouring values.
    let strides: [Int]
    /// For each cell of the cube, its slot.
    let slots: [Int]
    let slotCount: Int
    private let coordinates: [[Int]]
    private let rollUps: [[Int]]
    private let finest: [[Int]]

    init(_ cube: [KPICell]) {
        let keys = cube.map { [$0.month, $0.tripType, $0.region].map(ValueBytes.init) }
        let all = ValueBytes(KPICell.all)
        let values = (0..<3).map { dimension in
            Set(keys.map { $0[dimension] }).subtracting([all]).sorted() + [all]
        }
        let order = values.map { Dictionary(uniqueKeysWithValues: zip($0, 0...)) }
        let strides = [values[1].count * values[2].count, values[2].count, 1]
        slots = keys.map { key in
            (0..<3).reduce(0) { $0 + order[$1][key[$1], default: 0] * strides[$1] }
        }
        self.values = values.map { $0.map(\.text) }
        self.strides = strides
        slotCount = values[0].count * strides[0]
        let coordinates = (0..<slotCount).map { slot in
            (0..<3).map { slot / strides[$0] % values[$0].count }
        }
        rollUps = coordinates.map { coordinate in
            (0..<8).map { bits in
                (0..<3).reduce(0) { sum, dimension in
                    let way = values[dimension].count - 1 - coordinate[dimension]
                    return bits >> dimension & 1 == 1 ? sum + way * strides[dimension] : sum
                }
            }
        }
        finest = coordinates.map { coordinate in
            (0..<3).reduce([0]) { slots, dimension in
                let (value, all) = (coordinate[dimension], values[dimension].count - 1)
                let own = value == all ? Array(0..<all) : [value]
                return slots.flatMap { slot in own.map { slot + $0 * strides[dimension] } }
            }
        }
        self.coordinates = coordinates
    }

    /// The index of `all` in a dimension; also the number of its other values.
    func all(_ dimension: Int) -> Int { values[dimension].count - 1 }

    func coordinate(_ slot: Int) -> [Int] { coordinates[slot] }

    /// For a finest cell, the distance to each of its totals, by the rolled-up dimensions as bits.
    func rollUps(_ slot: Int) -> [Int] { rollUps[slot] }

    /// The number of rolled-up dimensions of a cell.
    func rolledUpCount(_ slot: Int) -> Int {
        let coordinate = coordinate(slot)
        return (0..<3).count { coordinate[$0] == all($0) }
    }

    /// The values of a slot, in the order month, trip type, region.
    func key(_ slot: Int) -> [String] {
        zip(values, coordinate(slot)).map { $0[$1] }
    }

    /// The finest slots that a cell adds up.
    func finestSlots(within slot: Int) -> [Int] { finest[slot] }

    /// All counts of a cube by position; 0 where there are no trips.
    func counts(_ cube: [KPICell]) -> [Int64] {
        var counts = [Int64](repeating: 0, count: slotCount * CellCounts.size)
        for (slot, cell) in zip(slots, cube) {
            for (count, value) in CellCounts.values(cell.sums).enumerated() {
                counts[slot * CellCounts.size + count] = value
            }
        }
        return counts
    }

    /// All sums over the values of one dimension, for every count.
    func lines() -> [CellLine] {
        let parts = (0..<3).map { dimension in
            (0..<all(dimension)).map { $0 * strides[dimension] * CellCounts.size }
        }
        var lines: [CellLine] = []
        for slot in 0..<slotCount {
            let coordinate = coordinate(slot)
            for dimension in 0..<3 where coordinate[dimension] == all(dimension) {
                let first = slot - all(dimension) * strides[dimension]
                for count in 0..<CellCounts.size {
                    lines.append(
                        CellLine(
                            total: slot * CellCounts.size + count,
                            start: first * CellCounts.size + count,
                            distances: parts[dimension]
                        )
                    )
                }
            }
        }
        return lines
    }
}
