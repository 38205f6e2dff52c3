import TripDomain

/// The slow twin of ``ChangeDecomposition``: the formulas as they are written down, over fractions,
/// and one rounding step at a time.
enum ExactDecomposition {
    /// A fraction in lowest terms.
    struct Fraction {
        let above: Int128
        let below: Int128

        init(_ above: Int128, _ below: Int128 = 1) {
            var (left, right) = (above.magnitude, below.magnitude)
            while right != 0 { (left, right) = (right, left % right) }
            let sign: Int128 = below < 0 ? -1 : 1
            self.above = sign * above / Int128(left)
            self.below = sign * below / Int128(left)
        }

        static func + (left: Fraction, right: Fraction) -> Fraction {
            Fraction(left.above * right.below + right.above * left.below, left.below * right.below)
        }

        static func - (left: Fraction, right: Fraction) -> Fraction {
            left + Fraction(-right.above, right.below)
        }

        static func * (left: Fraction, right: Fraction) -> Fraction {
            Fraction(left.above * right.above, left.below * right.below)
        }

        static func < (left: Fraction, right: Fraction) -> Bool {
            left.above * right.below < right.above * left.below
        }

        static func == (left: Fraction, right: Fraction) -> Bool {
            left.above == right.above && left.below == right.below
        }

        /// The nearest integer, half away from zero.
        var nearest: Int128 {
            let magnitude = (2 * above.magnitude + below.magnitude) / (2 * below.magnitude)
            return above < 0 ? -Int128(magnitude) : Int128(magnitude)
        }
    }

    struct Part: Equatable {
        let value: String
        let kind: ChangeDecomposition.Kind
        var amount: Int128
    }

    private static func trips(_ measure: ChangeMeasure, _ sums: KPISums) -> Fraction {
        switch measure {
        case .inHousePercent: Fraction(Int128(sums.inHouseTrips + sums.contractedTrips))
        case .vendorCost: Fraction(Int128(sums.contractedCostedTrips))
        }
    }

    private static func amount(_ measure: ChangeMeasure, _ sums: KPISums) -> Fraction {
        switch measure {
        case .inHousePercent: Fraction(Int128(sums.inHouseTrips))
        case .vendorCost: Fraction(Int128(sums.contractedCostCents))
        }
    }

    private static func quotient(_ left: Fraction, _ right: Fraction) -> Fraction? {
        right.above == 0 ? nil : left * Fraction(right.below, right.above)
    }

    /// The parts by the formulas of the documentation, each a fraction.
    static func parts(
        _ measure: ChangeMeasure,
        _ groups: [ComparedGroup]
    ) -> [(part: Part, exact: Fraction)] {
        func sum(_ value: (ComparedGroup) -> Fraction) -> Fraction {
            groups.reduce(Fraction(0)) { $0 + value($1) }
        }
        let counted = (sum { trips(measure, $0.from) }, sum { trips(measure, $0.to) })
        let all = (
            quotient(sum { amount(measure, $0.from) }, counted.0),
            quotient(sum { amount(measure, $0.to) }, counted.1)
        )
        let half = Fraction(1, 2)
        var parts: [(part: Part, exact: Fraction)] = []
        for group in groups {
            let counts = (trips(measure, group.from), trips(measure, group.to))
            let own = (
                quotient(amount(measure, group.from), counts.0),
                quotient(amount(measure, group.to), counts.1)
            )
            guard let before = own.0 ?? own.1, let after = own.1 ?? own.0 else { continue }
            var (rate, mix): (Fraction, Fraction)
            switch measure {
            case .inHousePercent:
                guard let share = quotient(counts.0, counted.0),
                    let newShare = quotient(counts.1, counted.1), let first = all.0,
                    let second = all.1
                else { return [] }
                let percent = Fraction(10_000)
                rate = percent * half * (share + newShare) * (after - before)
                mix = percent * half * (before + after - first - second) * (newShare - share)
            case .vendorCost:
                rate = half * (counts.0 + counts.1) * (after - before)
                mix = half * (before + after) * (counts.1 - counts.0)
            }
            parts.append((Part(value: group.value, kind: .rate, amount: rate.nearest), rate))
            parts.append((Part(value: group.value, kind: .mix, amount: mix.nearest), mix))
        }
        return parts
    }

    /// The parts rounded to a sum: one at a time, the one that is furthest from its exact value.
    static func rounded(
        _ measure: ChangeMeasure,
        _ groups: [ComparedGroup],
        sum: Int64
    ) -> [Part] {
        var parts = self.parts(measure, groups).sorted { left, right in
            left.part.value == right.part.value
                ? left.part.kind == .rate && right.part.kind == .mix
                : left.part.value < right.part.value
        }
        while true {
            let missing = Int128(sum) - parts.reduce(0) { $0 + $1.part.amount }
            guard missing != 0 else { break }
            func rest(_ index: Int) -> Fraction {
                parts[index].exact - Fraction(parts[index].part.amount)
            }
            let furthest = parts.indices.reduce(0) { found, index in
                let isFurther = missing > 0 ? rest(found) < rest(index) : rest(index) < rest(found)
                return isFurther ? index : found
            }
            parts[furthest].part.amount += missing.signum()
        }
        return parts.map(\.part).filter { $0.amount != 0 }
    }

    /// The parts that were found, as those of the twin.
    static func parts(_ decomposition: ChangeDecomposition) -> [Part] {
        decomposition.parts.map {
            Part(value: $0.value, kind: $0.kind, amount: Int128($0.amount))
        }
    }
}
