/// The trips of one region or trip type in the two months that are compared.
public struct ComparedGroup: Sendable, Hashable {
    /// Its code.
    public let value: String
    /// Its sums in the month that is compared with.
    public let from: KPISums
    /// Its sums in the month whose change is taken apart.
    public let to: KPISums

    /// Compares the sums of a group; one without trips in a month has zeros there.
    public init(value: String, from: KPISums, to: KPISums) {
        (self.value, self.from, self.to) = (value, from, to)
    }
}

/// A change between two months, taken apart into what single groups contributed to it.
///
/// Kitagawa's decomposition (1955), the symmetric one: what changed within a group is weighted by
/// the mean of its two shares, and what changed in its share by the mean of its two rates. With
/// *s* the share of a group in all trips whose class is known, *r* its in-house share, and *R* that
/// of all groups:
///
///     rate = ½ (s₀ + s₁) · (r₁ − r₀)
///     mix  = ½ (r₀ + r₁ − R₀ − R₁) · (s₁ − s₀)
///
/// Shares add up to one in both months, so taking *R* off a group's rate changes no sum, and says
/// what the group's growth did: more trips of a group that drives less itself lower the share. The
/// cost is a sum and no mean. With *n* trips of known cost and *c* dollars for each:
///
///     rate = ½ (n₀ + n₁) · (c₁ − c₀)
///     mix  = ½ (c₀ + c₁) · (n₁ − n₀)
///
/// A group without such trips in one of the months has no rate there; it takes that of the other
/// month, so that its whole part is mix.
///
/// - SeeAlso: `docs/WHY.md`.
public struct ChangeDecomposition: Sendable, Hashable {
    /// What a group did.
    public enum Kind: String, Sendable, CaseIterable {
        /// Its own share or cost per trip changed.
        case rate
        /// There are more or fewer of its trips.
        case mix
    }

    /// What one group contributed in one way.
    public struct Part: Sendable, Hashable {
        /// The code of the group.
        public let value: String
        /// In which way.
        public let kind: Kind
        /// How much: hundredths of a percentage point, or cents.
        public let amount: Int64
        /// The group's trips in the other month less those in the one that is compared with.
        ///
        /// They are those that the measure is about. Credits can make more trips cost less.
        public let tripsChange: Int64
    }

    /// The measure that changed.
    public let measure: ChangeMeasure
    /// Its published value in the month that is compared with; nil where it has none.
    public let from: Int64?
    /// Its published value in the other month; nil where it has none.
    public let to: Int64?
    /// The contributions that are not zero, the largest first; none where a value is nil.
    ///
    /// They sum exactly to ``change``.
    public let parts: [Part]

    /// The change of the published value; nil where one of the two months has none.
    public var change: Int64? {
        guard let from, let to else { return nil }
        return to - from
    }

    /// Takes a change apart.
    ///
    /// The result is nil where no trips can have such sums: a count below zero, a part greater than
    /// its whole, a cost of no trips, more than ``countMax`` trips in a month, or a part that does
    /// not fit into 64 bits.
    ///
    /// - Parameters:
    ///   - measure: What changed.
    ///   - groups: All groups of both months, in any order, each code once; a trip is in one group.
    /// - Precondition: The sums of all groups together are within ``SumLimit``.
    /// - Complexity: O(*n* log *n*) in the groups.
    public init?(_ measure: ChangeMeasure, of groups: [ComparedGroup]) {
        var (before, after) = (KPISums(), KPISums())
        for group in groups {
            before += group.from
            after += group.to
        }
        let isPossible = groups.allSatisfy {
            measure.isPossible($0.from) && measure.isPossible($0.to)
        }
        let whole = ComparedAmounts(measure.amount(before), measure.amount(after))
        guard isPossible, whole.tripsMax <= Self.countMax else { return nil }
        self.measure = measure
        (from, to) = (measure.value(before), measure.value(after))
        guard let from, let to else {
            parts = []
            return
        }
        var exact: [ExactPart] = []
        for group in groups {
            let own = ComparedAmounts(measure.amount(group.from), measure.amount(group.to))
            guard own.tripsMax > 0 else { continue }
            let (rate, mix) = (own.rate(of: measure, in: whole), own.mix(of: measure, in: whole))
            exact.append((group.value, .rate, rate, own.tripsChange))
            exact.append((group.value, .mix, mix, own.tripsChange))
        }
        guard let rounded = Self.rounded(exact, sum: to - from) else { return nil }
        parts = rounded
    }

    /// The greatest number of trips of a month: with it every product fits.
    public static let countMax = Int64(Int32.max)

    /// A part before it is rounded.
    private typealias ExactPart = (
        value: String, kind: Kind, part: RoundedFraction, tripsChange: Int64
    )

    /// Whole numbers with a given sum: each the nearest, and what is then missing goes to those
    /// from which rounding took most, by code where these are equal.
    ///
    /// The sum differs from the exact one by less than one, so that none is moved twice, and none
    /// that is whole already is moved at all. Parts of the months exchanged are the same with the
    /// other sign.
    private static func rounded(_ exact: [ExactPart], sum: Int64) -> [Part]? {
        let ordered = exact.sorted { left, right in
            precedes((left.value, left.kind), (right.value, right.kind))
        }
        var wholes = ordered.map(\.part.whole)
        let missing = Int128(sum) - wholes.reduce(0, +)
        let byRest = ordered.indices.sorted { left, right in
            let (one, other) = (ordered[left].part, ordered[right].part)
            if missing > 0 ? other.leavesLess(than: one) : one.leavesLess(than: other) {
                return true
            }
            let isEqual = !one.leavesLess(than: other) && !other.leavesLess(than: one)
            return isEqual && left < right
        }
        for index in byRest.prefix(Int(missing.magnitude)) { wholes[index] += missing.signum() }
        var parts: [Part] = []
        for (part, whole) in zip(ordered, wholes) where whole != 0 {
            guard let amount = Int64(exactly: whole) else { return nil }
            parts.append(
                Part(
                    value: part.value,
                    kind: part.kind,
                    amount: amount,
                    tripsChange: part.tripsChange
                )
            )
        }
        return parts.sorted { left, right in
            let (one, other) = (left.amount.magnitude, right.amount.magnitude)
            guard one == other else { return one > other }
            return precedes((left.value, left.kind), (right.value, right.kind))
        }
    }

    /// The order of parts of one size: by the bytes of the code, then rate before mix.
    private static func precedes(_ left: (String, Kind), _ right: (String, Kind)) -> Bool {
        if left.0.utf8.elementsEqual(right.0.utf8) { return left.1 == .rate && right.1 == .mix }
        return left.0.utf8.lexicographicallyPrecedes(right.0.utf8)
    }
}
