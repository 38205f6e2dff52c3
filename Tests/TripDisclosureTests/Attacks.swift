@testable import TripDisclosure

/// Narrows the bounds of every hidden number by every sum it is part of, until no bound changes:
/// the attack of a reader who adds and subtracts by hand.
struct BoundsAttack {
    private let cube: GuardedCube

    init(_ cube: GuardedCube) {
        self.cube = cube
    }

    private static let unbounded = Int64(1) << 40

    func run() -> [(lower: Int64, upper: Int64)] {
        let lines = cube.lines
        var bounds = cube.counts.indices.map { position in
            cube.isHidden[position]
                ? (lower: Int64(0), upper: Self.unbounded)
                : (lower: cube.counts[position], upper: cube.counts[position])
        }
        var isMoving = true
        while isMoving {
            isMoving = false
            for line in lines {
                let lower = line.parts.reduce(Int64(0)) { $0 + bounds[$1].lower }
                let upper = line.parts.reduce(Int64(0)) {
                    min(Self.unbounded, $0 + bounds[$1].upper)
                }
                isMoving = narrow(&bounds[line.total], lower, upper) || isMoving
                for part in line.parts {
                    let otherUpper = line.parts.reduce(Int64(0)) {
                        $1 == part ? $0 : min(Self.unbounded, $0 + bounds[$1].upper)
                    }
                    let least = bounds[line.total].lower - otherUpper
                    let most = bounds[line.total].upper - (lower - bounds[part].lower)
                    isMoving = narrow(&bounds[part], least, most) || isMoving
                }
            }
        }
        return bounds
    }

    private func narrow(
        _ bound: inout (lower: Int64, upper: Int64),
        _ lower: Int64,
        _ upper: Int64
    ) -> Bool {
        let narrowed = (lower: max(bound.lower, lower), upper: min(bound.upper, upper))
        if narrowed == bound { return false }
        bound = narrowed
        return true
    }
}

/// Solves all sums together for the hidden numbers, by elimination modulo a prime: a number that
/// the equations determine is alone in its row.
struct EquationAttack {
    private let isHidden: [Bool]
    private let lines: [CellLine]

    init(_ cube: GuardedCube) {
        isHidden = cube.isHidden
        lines = cube.lines
    }

    private static let prime = Int64(2_147_483_647)

    /// The hidden numbers that the equations determine.
    func solved() -> Set<Int> {
        let unknowns = isHidden.indices.filter { isHidden[$0] }
        let positions = Dictionary(uniqueKeysWithValues: zip(unknowns, 0...))
        var rows: [(pivot: Int, values: [Int64])] = []
        for line in lines {
            var values = [Int64](repeating: 0, count: unknowns.count)
            if let position = positions[line.total] { values[position] = Self.prime - 1 }
            for part in line.parts {
                if let position = positions[part] { values[position] = 1 }
            }
            for row in rows where values[row.pivot] != 0 {
                Self.subtract(&values, row.values, factor: values[row.pivot])
            }
            guard let pivot = values.firstIndex(where: { $0 != 0 }) else { continue }
            let inverse = Self.inverse(values[pivot])
            for index in values.indices { values[index] = values[index] * inverse % Self.prime }
            for index in rows.indices where rows[index].values[pivot] != 0 {
                Self.subtract(&rows[index].values, values, factor: rows[index].values[pivot])
            }
            rows.append((pivot, values))
        }
        return Set(
            rows.filter { $0.values.count { $0 != 0 } == 1 }.map { unknowns[$0.pivot] }
        )
    }

    private static func subtract(_ values: inout [Int64], _ row: [Int64], factor: Int64) {
        for index in row.indices where row[index] != 0 {
            values[index] = (values[index] + (prime - factor) * row[index]) % prime
        }
    }

    /// The inverse by Fermat's theorem: the power of prime - 2.
    private static func inverse(_ value: Int64) -> Int64 {
        var (result, base, exponent) = (Int64(1), value, prime - 2)
        while exponent > 0 {
            if exponent & 1 == 1 { result = result * base % prime }
            base = base * base % prime
            exponent >>= 1
        }
        return result
    }
}
