/// One step of the complementary suppression: an adjustment of one finest cell, balanced by others.
struct TableAdjustment {
    /// A finest cell, and whether the adjustment is applied there forwards (1) or backwards (-1).
    typealias Cell = (slot: Int, sign: Int)

    let cells: [Cell]
    let content: CellAdjustment
    /// The number of times the adjustment is applied.
    let amount: Int64
    /// The weighted information loss of what it newly suppresses.
    let cost: Int
}

/// The distance of a partner from the base in each dimension, in slots.
struct Distances {
    var month = 0
    var tripType = 0
    var region = 0

    subscript(dimension: Int) -> Int {
        get { dimension == 0 ? month : dimension == 1 ? tripType : region }
        set {
            if dimension == 0 { month = newValue }
            if dimension == 1 { tripType = newValue }
            if dimension == 2 { region = newValue }
        }
    }

    static func + (left: Distances, right: Distances) -> Distances {
        Distances(
            month: left.month + right.month,
            tripType: left.tripType + right.tripType,
            region: left.region + right.region
        )
    }
}

/// The pattern of the cells of a step, relative to its base.
///
/// Dimensions are exchanged in groups, each group separately. Every group doubles the
/// number of cells; the added ones have the other sign:
///
///     no group             one cell; every total above it moves along
///     month                + in one month, - in another; the totals over months stay
///     month, region        four cells, + - - +; totals over months and totals over regions stay
///     month, type, region  eight cells; every total stays
///     month, type-region   four cells; the swapped pairs of type and region are far apart, so that
///                          totals of one dimension stay, and those of two do not
///     month-type-region    two cells anywhere; the grand total alone stays
///
/// The longer groups are for trips so rare that no eight suitable cells exist.
final class AdjustmentPattern: Sendable {
    /// One cell of a step: the dimensions at the partner's value, and the rolled-up ones, as bits.
    struct Corner: Sendable {
        let partner: Int
        let rolledUp: Int
        /// The groups at their partner's values, as bits.
        let groups: Int
        var sign: Int { groups.nonzeroBitCount % 2 == 0 ? 1 : -1 }

        /// The distance from the base.
        func distance(_ partners: Distances, _ rollUps: [Int]) -> Int {
            (partner & 1) * partners.month + (partner >> 1 & 1) * partners.tripType
                + (partner >> 2) * partners.region + rollUps[rolledUp]
        }
    }

    /// The groups of dimensions that are exchanged together, each as bits; 1 month, 2 trip type, 4
    /// region.
    let groups: [Int]
    /// All cells whose numbers change.
    let corners: [Corner]
    /// The cells at the base, and the totals above it.
    let fixed: [Corner]
    /// For each group, the cells in which it alone is at its partner.
    let near: [[Corner]]
    /// The cells in which two groups or more are at their partners.
    let far: [Corner]

    private init(_ groups: [Int]) {
        let grouped = groups.reduce(0, |)
        var corners = (0..<8).filter { $0 & grouped == 0 }.map {
            Corner(partner: 0, rolledUp: $0, groups: 0)
        }
        for (number, group) in groups.enumerated() {
            // A group that is completely rolled up does not change.
            let rolls = (0..<8).filter { $0 & ~group == 0 && $0 != group }
            corners = corners.flatMap { corner in
                rolls.flatMap { roll in
                    [0, 1].map { side in
                        Corner(
                            partner: corner.partner | side * (group & ~roll),
                            rolledUp: corner.rolledUp | roll,
                            groups: corner.groups | side << number
                        )
                    }
                }
            }
        }
        self.groups = groups
        self.corners = corners
        fixed = corners.filter { $0.groups == 0 }
        near = groups.indices.map { group in corners.filter { $0.groups == 1 << group } }
        far = corners.filter { $0.groups.nonzeroBitCount > 1 }
    }

    /// Patterns that exchange each dimension separately; those that preserve most totals first.
    static let products = byTarget(
        [[1, 2, 4], [1, 2], [1, 4], [2, 4], [1], [2], [4], []].map { AdjustmentPattern($0) }
    )
    /// Patterns that exchange several dimensions together.
    static let joint = byTarget(
        [[6, 1], [5, 2], [3, 4], [3], [5], [6], [7]].map { AdjustmentPattern($0) }
    )

    /// For each set of dimensions, as bits, over which a target is a total, the patterns that can
    /// raise it.
    ///
    /// A group that the target sums up completely would not change it.
    private static func byTarget(_ shapes: [AdjustmentPattern]) -> [[AdjustmentPattern]] {
        (0..<8).map { rolledUp in
            shapes.filter { $0.groups.allSatisfy { $0 & ~rolledUp != 0 } }
        }
    }
}
