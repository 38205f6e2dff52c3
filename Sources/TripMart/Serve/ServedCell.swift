import TripDisclosure
public import TripDomain

/// The sums of one group of trips, as far as its reader may see them.
///
/// Each number is nil where it is suppressed because it is small, or because a small one could be
/// derived from it; ratios are suppressed with their parts.
public struct ServedCell: Sendable, Hashable {
    /// The sums; a hidden number is 0 here and is never returned.
    private(set) var sums: KPISums
    /// The sums that are hidden.
    private var hidden: KPISumSet

    /// A cell without trips and without hidden numbers.
    static let empty = ServedCell(KPISums())
    /// A cell with all numbers hidden.
    static let concealed = ServedCell(sums: KPISums(), hidden: .all)

    private init(sums: KPISums, hidden: KPISumSet) {
        (self.sums, self.hidden) = (sums, hidden)
    }

    /// A cell with all numbers visible.
    init(_ sums: KPISums) {
        self.init(sums: sums, hidden: [])
    }

    /// A row of the suppressed cube.
    ///
    /// - Parameter values: One per column of the cube, nil where it is hidden.
    init(_ values: [Int64?]) {
        self.init(
            sums: KPISums(values: values.map { $0 ?? 0 }),
            hidden: KPISumSet(KPISum.allCases.filter { values[$0.rawValue] == nil })
        )
    }

    /// Whether every visible number equals that of the unsuppressed cell.
    func agrees(with whole: ServedCell) -> Bool {
        KPISum.allCases.allSatisfy { hidden.contains($0) || sums[$0] == whole.sums[$0] }
    }

    /// Whether no visible count of trips, of all or of one class, is small.
    func showsNoCount(below least: Int) -> Bool {
        KPISum.allCases.allSatisfy {
            $0.measure != .trips || hidden.contains($0) || sums[$0] == 0 || sums[$0] >= least
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
        left.hidden.formUnion(right.hidden)
    }

    /// Whether every number is visible.
    var isWhole: Bool { hidden.isEmpty }

    /// Whether any number is hidden that a suppressed cube can show.
    public var isSuppressed: Bool { !hidden.isDisjoint(with: CellCounts.protectedSums) }

    /// Whether there are trips, or may be some.
    var mayHaveTrips: Bool { isSuppressed || sums.trips != 0 }

    /// One sum; nil where it is hidden.
    public subscript(sum: KPISum) -> Int64? { hidden.contains(sum) ? nil : sums[sum] }

    /// All sums, of which some are needed; nil where one of these is hidden.
    ///
    /// - Parameter needed: The sums that are needed; others may be 0 because they are hidden.
    /// - Returns: The sums.
    func sums(showing needed: KPISumSet) -> KPISums? {
        hidden.isDisjoint(with: needed) ? sums : nil
    }

    /// Counted trips.
    public var trips: Int64? { self[.trips] }

    /// A KPI; nil where a sum that it is made of is hidden, where it is a ratio without a value,
    /// and where most of the costs that it needs are not known.
    public func value(_ kpi: KPI) -> Int64? {
        guard !hides(kpi), kpi.coverage?.isMost(sums) ?? true else { return nil }
        return kpi.value(sums)
    }

    /// Whether a KPI is hidden with a sum that it is made of, or that says how much of it is known.
    public func hides(_ kpi: KPI) -> Bool {
        guard hidden.isDisjoint(with: kpi.sums) else { return true }
        return kpi.coverage.map { !hidden.isDisjoint(with: [$0.known, $0.trips]) } ?? false
    }
}
