import TripDomain

/// All numbers of trips that a cell shows, or that follow from what it shows.
///
///      0 trips
///      1 in-house   2 contracted   3 undetermined
///      4 … 9        each class with known cost, then with unknown cost
///     10 trips with known cost    11 with unknown cost
///     12 trips with known miles   13 with unknown miles
enum CellCounts {
    static let size = 14
    static let trips = 0
    static let costed = 10
    static let milesKnown = 12

    /// The place of a class: 0 in-house, 1 contracted, 2 undetermined.
    static func ofClass(_ number: Int) -> Int { 1 + number }

    /// The place of a class split by whether the cost is known: 0 known, 1 unknown.
    static func ofClass(_ number: Int, cost: Int) -> Int { 4 + 2 * number + cost }

    /// What each is worth to readers; 0 for those that no column shows.
    static let weights = [8, 3, 3, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]

    static func values(_ sums: KPISums) -> [Int64] {
        let classes = [sums.inHouseTrips, sums.contractedTrips, sums.undeterminedTrips]
        let costed = [
            sums.inHouseCostedTrips, sums.contractedCostedTrips, sums.undeterminedCostedTrips,
        ]
        let known = costed.reduce(0, +)
        return [sums.trips] + classes
            + zip(classes, costed).flatMap { [$1, $0 - $1] }
            + [known, sums.trips - known]
            + [sums.milesKnownTrips, sums.trips - sums.milesKnownTrips]
    }
}

extension CellCounts {
    /// The sums within a cell: each total, then its parts.
    private static let sums = [
        [trips, 1, 2, 3], [1, 4, 5], [2, 6, 7], [3, 8, 9], [costed, 4, 6, 8],
        [costed + 1, 5, 7, 9], [trips, costed, costed + 1],
        [trips, milesKnown, milesKnown + 1],
    ]

    /// The sums within every cell of a cube.
    static func lines(cellCount: Int) -> [CellLine] {
        (0..<cellCount).flatMap { cell in
            sums.map { sum in
                let places = sum.map { cell * size + $0 }
                return CellLine(total: places[0], parts: Array(places.dropFirst()))
            }
        }
    }
}

/// A change within a cell that keeps its own sums true.
struct ContentMove {
    let steps: [(count: Int, sign: Int)]

    /// For each count, the changes that raise it.
    static let raising: [[ContentMove]] = (0..<CellCounts.size).map { count in
        all.filter { move in move.steps.contains { $0.count == count && $0.sign > 0 } }
    }

    private static let all: [ContentMove] = lifts + classSwaps + costSwaps + milesSwaps

    /// One trip more, of some class, with or without a known cost and known miles.
    private static let lifts: [ContentMove] = combinations(3, 2, 2) { number, cost, miles in
        ContentMove(steps: [
            (CellCounts.trips, 1), (CellCounts.ofClass(number), 1),
            (CellCounts.ofClass(number, cost: cost), 1), (CellCounts.costed + cost, 1),
            (CellCounts.milesKnown + miles, 1),
        ])
    }

    /// A trip of one class becomes one of another; its cost stays known or unknown.
    private static let classSwaps: [ContentMove] = combinations(3, 2, 2) { number, cost, step in
        let other = (number + 1 + step) % 3
        return ContentMove(steps: [
            (CellCounts.ofClass(number), 1), (CellCounts.ofClass(number, cost: cost), 1),
            (CellCounts.ofClass(other), -1), (CellCounts.ofClass(other, cost: cost), -1),
        ])
    }

    /// A trip's cost becomes known, or unknown.
    private static let costSwaps: [ContentMove] = combinations(3, 2, 1) { number, cost, _ in
        ContentMove(steps: [
            (CellCounts.ofClass(number, cost: cost), 1),
            (CellCounts.ofClass(number, cost: 1 - cost), -1),
            (CellCounts.costed + cost, 1), (CellCounts.costed + 1 - cost, -1),
        ])
    }

    /// A trip's miles become known, or unknown.
    private static let milesSwaps: [ContentMove] = combinations(2, 1, 1) { miles, _, _ in
        ContentMove(steps: [
            (CellCounts.milesKnown + miles, 1), (CellCounts.milesKnown + 1 - miles, -1),
        ])
    }

    private static func combinations(
        _ first: Int,
        _ second: Int,
        _ third: Int,
        _ make: (Int, Int, Int) -> ContentMove
    ) -> [ContentMove] {
        (0..<first).flatMap { left in
            (0..<second).flatMap { middle in
                (0..<third).map { right in make(left, middle, right) }
            }
        }
    }
}
