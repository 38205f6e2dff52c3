import TripDisclosure
import TripDomain

/// The sums of one group of trips, as far as its reader may see them.
///
/// Each number is nil where it is suppressed because it is small, or because a small one could be
/// derived from it; ratios are suppressed with their parts.
public struct ServedCell: Sendable, Hashable {
    /// The sums; a hidden number is 0 here and is never returned.
    private(set) var sums: KPISums
    /// A bit per column of ``CubeTables/sumColumns``: 1 where it is hidden.
    private var hidden: UInt32

    private static let allHidden = UInt32(1) << UInt32(CubeTables.sumColumns.count) - 1

    /// A cell without trips and without hidden numbers.
    static let empty = ServedCell(KPISums())
    /// A cell with all numbers hidden.
    static let concealed = ServedCell(sums: KPISums(), hidden: allHidden)

    private init(sums: KPISums, hidden: UInt32) {
        (self.sums, self.hidden) = (sums, hidden)
    }

    /// A cell with all numbers visible.
    init(_ sums: KPISums) {
        self.init(sums: sums, hidden: 0)
    }

    /// A row of the suppressed cube.
    ///
    /// - Parameter values: One per column of the cube, nil where it is hidden.
    init(_ values: [Int64?]) {
        var hidden: UInt32 = 0
        for (index, value) in values.enumerated() where value == nil { hidden |= 1 << index }
        self.init(sums: KPISums(values: values.map { $0 ?? 0 }), hidden: hidden)
    }

    /// Whether every visible number equals that of the unsuppressed cell.
    func agrees(with whole: ServedCell) -> Bool {
        let (own, others) = (sums.values, whole.sums.values)
        return own.indices.allSatisfy { hidden >> $0 & 1 == 1 || own[$0] == others[$0] }
    }

    /// Whether no visible count of trips, of all or of one class, is small.
    func showsNoCount(below least: Int) -> Bool {
        sums.values.enumerated().prefix(CubeTables.tripColumnCount).allSatisfy {
            index,
            count in
            hidden >> index & 1 == 1 || count == 0 || count >= least
        }
    }

    /// Whether a reader who knows a part of it can derive no small count of the rest.
    ///
    /// - Parameters:
    ///   - least: The smallest count that may be shown, besides 0.
    ///   - part: The part.
    /// - Returns: Whether each count of the rest is 0 or at least that, including those of known
    ///   and of unknown costs and miles.
    /// - Precondition: Neither has a hidden number.
    func leavesNoCount(below least: Int, beside part: ServedCell) -> Bool {
        precondition(!isSuppressed && !part.isSuppressed, "both cells are unsuppressed")
        return zip(CellCounts.values(sums), CellCounts.values(part.sums)).allSatisfy {
            $0 == $1 || $0 - $1 >= least
        }
    }

    /// Adds two groups; a number that is hidden in one is hidden in the sum.
    static func += (left: inout ServedCell, right: ServedCell) {
        left.sums += right.sums
        left.hidden |= right.hidden
    }

    /// Whether any number is hidden.
    public var isSuppressed: Bool { hidden != 0 }

    /// Whether there are trips, or may be some.
    var mayHaveTrips: Bool { isSuppressed || sums.trips != 0 }

    /// Counted trips.
    public var trips: Int64? { shown(sums.trips, behind: ["trips"]) }
    /// Counted trips of class `in_house`.
    public var inHouseTrips: Int64? { shown(sums.inHouseTrips, behind: ["in_house_trips"]) }
    /// Counted trips of class `contracted`.
    public var contractedTrips: Int64? { shown(sums.contractedTrips, behind: ["contracted_trips"]) }
    /// Counted trips that no rule decided.
    public var undeterminedTrips: Int64? {
        shown(sums.undeterminedTrips, behind: ["undetermined_trips"])
    }
    /// Known costs of all counted trips, in cents.
    public var costCents: Int64? { shown(sums.costCents, behind: ["cost_cents"]) }
    /// Known costs of the in-house trips, in cents; nil also where most costs are not known.
    public var inHouseCostCents: Int64? {
        guard let known = inHouseCostedTrips, let trips = inHouseTrips,
            Self.isMostly(known, of: trips)
        else { return nil }
        return shown(sums.inHouseCostCents, behind: ["in_house_cost_cents"])
    }
    /// Known costs of the contracted trips, in cents; nil also where most costs are not known.
    public var contractedCostCents: Int64? {
        guard let known = contractedCostedTrips, let trips = contractedTrips,
            Self.isMostly(known, of: trips)
        else { return nil }
        return shown(sums.contractedCostCents, behind: ["contracted_cost_cents"])
    }

    /// Whether the sum of the known costs of a class may be shown beside another class's: readers
    /// would take it for the cost of all its trips.
    private static func isMostly(_ known: Int64, of trips: Int64) -> Bool {
        known * 100 >= trips * 80
    }

    /// In-house trips whose cost is known.
    public var inHouseCostedTrips: Int64? {
        shown(sums.inHouseCostedTrips, behind: ["in_house_costed_trips"])
    }
    /// Contracted trips whose cost is known.
    public var contractedCostedTrips: Int64? {
        shown(sums.contractedCostedTrips, behind: ["contracted_costed_trips"])
    }
    /// Undetermined trips whose cost is known.
    public var undeterminedCostedTrips: Int64? {
        shown(sums.undeterminedCostedTrips, behind: ["undetermined_costed_trips"])
    }
    /// Known costs of the undetermined trips, in cents.
    public var undeterminedCostCents: Int64? {
        shown(sums.undeterminedCostCents, behind: ["undetermined_cost_cents"])
    }
    /// Loaded miles of the trips whose miles are known, in hundredths.
    public var loadedMilesHundredths: Int64? {
        shown(sums.loadedMilesHundredths, behind: ["loaded_miles_hundredths"])
    }

    /// The in-house share of the trips whose class is known, in hundredths of a percent; nil also
    /// where there are none.
    public var inHousePercentHundredths: Int64? {
        shown(sums.inHousePercentHundredths, behind: ["in_house_trips", "contracted_trips"])
    }
    /// The in-house share if all undetermined trips were contracted.
    public var inHousePercentLowHundredths: Int64? {
        shown(
            sums.inHousePercentLowHundredths,
            behind: [
                "in_house_trips",
                "contracted_trips",
                "undetermined_trips",
            ]
        )
    }
    /// The in-house share if all undetermined trips were in-house.
    public var inHousePercentHighHundredths: Int64? {
        shown(
            sums.inHousePercentHighHundredths,
            behind: [
                "in_house_trips",
                "contracted_trips",
                "undetermined_trips",
            ]
        )
    }
    /// The cost per trip with known cost, in cents; nil also where there are none.
    public var costPerTripCents: Int64? {
        shown(
            sums.costPerTripCents,
            behind: [
                "cost_cents",
                "in_house_costed_trips",
                "contracted_costed_trips",
                "undetermined_costed_trips",
            ]
        )
    }
    /// The cost per mile over the trips that have both, in cents; nil also where there are none.
    public var costPerMileCents: Int64? {
        shown(sums.costPerMileCents, behind: ["cost_with_miles_cents", "costed_miles_hundredths"])
    }

    /// A number, or nil where one of the columns behind it is hidden.
    private func shown(_ value: Int64?, behind columns: @autoclosure () -> [String]) -> Int64? {
        if hidden == 0 { return value }
        let isHidden = columns().contains { name in
            CubeTables.sumColumns.firstIndex(of: name).map { hidden >> $0 & 1 == 1 } ?? true
        }
        return isHidden ? nil : value
    }
}
