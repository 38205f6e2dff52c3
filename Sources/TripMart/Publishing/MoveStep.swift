/// One step of a move: a change of content in one finest cell, made good in others.
struct MoveStep {
    /// A finest cell, and whether the change is made there forwards (1) or backwards (-1).
    typealias Cell = (slot: Int, sign: Int)

    let cells: [Cell]
    let content: ContentMove
    /// How often the change is made.
    let amount: Int64
    /// What it newly hides, weighed.
    let cost: Int
}

/// How far away from the base a partner is in each dimension, in slots.
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

/// Where the partners of a step stand.
///
/// Dimensions are swapped in groups, each group on its own. Every group adds as many cells again,
/// with the other sign:
///
///     no group             one cell; every total above it moves along
///     month                + in one month, - in another; the totals over months stay
///     month, region        four cells, + - - +; totals over months and totals over regions stay
///     month, type, region  eight cells; every total stays
///     month, type-region   four cells; the swapped pairs of type and region are far apart, so that
///                          totals of one dimension stay, and those of two do not
///     month-type-region    two cells anywhere; the grand total alone stays
///
/// The longer groups are for what is so rare that eight cells which have it are not to be found.
final class MoveShape: Sendable {
    /// One cell of a step: which dimensions stand at the partner, which are rolled up, as bits.
    struct Corner: Sendable {
        let partner: Int
        let rolledUp: Int
        /// The groups that stand at their partner, as bits.
        let groups: Int
        var sign: Int { groups.nonzeroBitCount % 2 == 0 ? 1 : -1 }

        /// How far away from the base it is.
        func distance(_ partners: Distances, _ rollUps: [Int]) -> Int {
            (partner & 1) * partners.month + (partner >> 1 & 1) * partners.tripType
                + (partner >> 2) * partners.region + rollUps[rolledUp]
        }
    }

    /// The groups of dimensions swapped together, each as bits; 1 month, 2 trip type, 4 region.
    let groups: [Int]
    /// All cells whose numbers change.
    let corners: [Corner]
    /// Those that stay at the base, or above it.
    let fixed: [Corner]
    /// For each group, those where it alone stands at its partner.
    let near: [[Corner]]
    /// Those where two groups or more do.
    let far: [Corner]

    private init(_ groups: [Int]) {
        let grouped = groups.reduce(0, |)
        var corners = (0..<8).filter { $0 & grouped == 0 }.map {
            Corner(partner: 0, rolledUp: $0, groups: 0)
        }
        for (number, group) in groups.enumerated() {
            // A group that is rolled up as a whole stays as it is.
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

    /// Each dimension on its own; those that leave most totals alone first.
    static let products = byTarget(
        [[1, 2, 4], [1, 2], [1, 4], [2, 4], [1], [2], [4], []].map { MoveShape($0) }
    )
    /// Dimensions together.
    static let joint = byTarget(
        [[6, 1], [5, 2], [3, 4], [3], [5], [6], [7]].map { MoveShape($0) }
    )

    /// For each set of dimensions, as bits, over which a target is a total, the shapes that can raise it.
    ///
    /// A group that the target adds up as a whole would leave it as it is.
    private static func byTarget(_ shapes: [MoveShape]) -> [[MoveShape]] {
        (0..<8).map { rolledUp in
            shapes.filter { $0.groups.allSatisfy { $0 & ~rolledUp != 0 } }
        }
    }
}
