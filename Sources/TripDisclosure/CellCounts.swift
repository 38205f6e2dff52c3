public import TripDomain

/// All numbers of trips that a cell shows, or that can be derived from the shown ones.
///
///      0 trips
///      1 in-house   2 contracted   3 undetermined
///      4 … 9        each class with known cost, then with unknown cost
///     10 trips with known cost    11 with unknown cost
///     12 trips with known miles   13 with unknown miles
///     14 trips with both known    15 with a known cost alone
///     16 with known miles alone   17 with neither
///
/// Counts 4 to 9 and 14 to 17 are the *atoms*: where they are not negative, none of the others is.
public enum CellCounts {
    static let size = 18
    static let trips = 0
    static let costed = 10
    static let milesKnown = 12
    static let bothKnown = 14

    /// The index of a class: 0 in-house, 1 contracted, 2 undetermined.
    static func ofClass(_ number: Int) -> Int { 1 + number }

    /// The index of a class split by whether the cost is known: 0 known, 1 unknown.
    static func ofClass(_ number: Int, cost: Int) -> Int { 4 + 2 * number + cost }

    /// The atoms of trips with a known cost: of each class, and with and without known miles.
    static let costedAtoms =
        (0..<3).map { ofClass($0, cost: 0) } + (0..<2).map { known(cost: 0, miles: $0) }

    /// The index of trips by whether their cost and their miles are known: 0 known, 1 unknown.
    static func known(cost: Int, miles: Int) -> Int { bothKnown + 2 * cost + miles }

    /// The classes split by whether the cost is known.
    static let classAtoms = 4...9

    static func isAtom(_ count: Int) -> Bool { classAtoms ~= count || count >= bothKnown }

    /// Whether a sum of costs or miles belongs to an atom: where there are no trips the sum must be
    /// 0.
    static let hasAmount = (0..<size).map { amounts.contains($0) }
    private static let amounts = costedAtoms + [known(cost: 1, miles: 0)]

    /// The weight of each count in the information loss; 0 for those that no column shows.
    static let weights = [8, 3, 3, 1, 1, 0, 1, 0, 1, 0, 3, 0, 1, 0, 1, 0, 0, 0]

    /// The counts of a cell, in the order of the drawing above.
    public static func values(_ sums: KPISums) -> [Int64] {
        let classes = [sums.inHouseTrips, sums.contractedTrips, sums.undeterminedTrips]
        let costed = [
            sums[.inHouseCostedTrips], sums[.contractedCostedTrips],
            sums[.undeterminedCostedTrips],
        ]
        let known = costed.reduce(0, +)
        let (miles, both) = (sums[.milesKnownTrips], sums[.costedMilesTrips])
        return [sums.trips] + classes
            + zip(classes, costed).flatMap { [$1, $0 - $1] }
            + [known, sums.trips - known]
            + [miles, sums.trips - miles]
            + [both, known - both]
            + [miles - both]
            + [sums.trips - known - miles + both]
    }

    /// The count that hides a sum: that of the trips that the sum is made of.
    ///
    /// A cost is hidden with the number of trips whose cost is known, a distance with the number of
    /// trips whose miles are known, and a sum of both with the number of trips that have both.
    ///
    /// - Parameter sum: A stored sum.
    /// - Returns: The count; nil where the drawing above has none, so that nothing would protect
    ///   the sum: a cube with small cells suppressed never shows it.
    static func count(behind sum: KPISum) -> Int? {
        let number = sum.tripClass.map { numbers[$0] ?? 0 }
        // A new measure is named here, with the count of the trips that it is known of: another
        // count would let a small number of them be read off.
        return switch sum.measure {
        case .trips: number.map { ofClass($0) } ?? trips
        case .costedTrips, .costCents: number.map { ofClass($0, cost: 0) } ?? costed
        case .milesKnownTrips, .milesHundredths: number == nil ? milesKnown : nil
        case .costedMilesTrips, .costWithMilesCents, .costedMilesHundredths:
            number == nil ? bothKnown : nil
        }
    }

    private static let numbers: [TripClass: Int] = [.inHouse: 0, .contracted: 1, .undetermined: 2]

    /// The sums that a cube with small cells suppressed shows, where they are not hidden.
    public static let protectedSums = KPISumSet(
        KPISum.allCases.filter { count(behind: $0) != nil }
    )

    /// The sums within a cell: each total, then its parts.
    private static let sums: [(total: Int, parts: [Int])] = [
        (trips, [1, 2, 3]), (1, [4, 5]), (2, [6, 7]), (3, [8, 9]),
        (costed, [4, 6, 8]), (costed + 1, [5, 7, 9]), (trips, [costed, costed + 1]),
        (trips, [milesKnown, milesKnown + 1]), (costed, [14, 15]), (costed + 1, [16, 17]),
        (milesKnown, [14, 16]), (milesKnown + 1, [15, 17]),
    ]

    /// The sums within every cell of a grid.
    static func lines(slotCount: Int) -> [CellLine] {
        (0..<slotCount).flatMap { slot in
            sums.map { sum in
                CellLine(
                    total: slot * size + sum.total,
                    start: slot * size,
                    distances: sum.parts
                )
            }
        }
    }
}
