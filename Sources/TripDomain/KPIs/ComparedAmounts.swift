/// The trips that a measure counts, and what it adds up of them.
struct MeasuredAmount {
    /// The trips.
    let trips: Int64
    /// How many of them are in-house, or what they cost in cents.
    let amount: Int64
}

/// What is measured of some trips in the two months that are compared.
///
/// Every part is a fraction of integers and is made in one step, so that nothing is rounded twice.
/// With at most 2³¹ trips the factors fit into 128 bits, and their product into 256.
struct ComparedAmounts {
    private let (tripsFrom, tripsTo): (Int128, Int128)
    private let (amountFrom, amountTo): (Int128, Int128)
    /// The rates, each an amount by its trips: of a month without trips, that of the other month.
    private let (rateFrom, rateTo):
        ((amount: Int128, trips: Int128), (amount: Int128, trips: Int128))

    /// Compares the amounts of two months.
    init(_ from: MeasuredAmount, _ to: MeasuredAmount) {
        (tripsFrom, tripsTo) = (Int128(from.trips), Int128(to.trips))
        (amountFrom, amountTo) = (Int128(from.amount), Int128(to.amount))
        let (first, second) = ((amountFrom, tripsFrom), (amountTo, tripsTo))
        (rateFrom, rateTo) = (tripsFrom == 0 ? second : first, tripsTo == 0 ? first : second)
    }

    /// The trips of the month that has more.
    var tripsMax: Int128 { max(tripsFrom, tripsTo) }

    /// The trips of the later month less those of the earlier.
    var tripsChange: Int64 { Int64(clamping: tripsTo - tripsFrom) }

    /// The part of a group that comes of its own rate.
    ///
    /// - Parameters:
    ///   - measure: What changed.
    ///   - whole: The amounts of all groups together.
    /// - Returns: The part; zero where the group has trips in one month alone.
    func rate(of measure: ChangeMeasure, in whole: ComparedAmounts) -> RoundedFraction {
        // Both rates over one denominator.
        let rise = rateTo.amount * rateFrom.trips - rateFrom.amount * rateTo.trips
        let below = rateFrom.trips * rateTo.trips
        switch measure {
        case .inHousePercent:
            let shares = tripsFrom * whole.tripsTo + tripsTo * whole.tripsFrom
            return RoundedFraction(
                Self.percent * shares,
                rise,
                by: below,
                and: 2 * whole.tripsFrom * whole.tripsTo
            )
        case .vendorCost: return RoundedFraction(tripsFrom + tripsTo, rise, by: below, and: 2)
        }
    }

    /// The part of a group that comes of how many its trips are.
    ///
    /// - Parameters:
    ///   - measure: What changed.
    ///   - whole: The amounts of all groups together.
    /// - Returns: The part.
    func mix(of measure: ChangeMeasure, in whole: ComparedAmounts) -> RoundedFraction {
        let sum = rateTo.amount * rateFrom.trips + rateFrom.amount * rateTo.trips
        let below = rateFrom.trips * rateTo.trips
        switch measure {
        case .inHousePercent:
            let all = whole.tripsFrom * whole.tripsTo
            let sumOfAll =
                whole.amountFrom * whole.tripsTo + whole.amountTo * whole.tripsFrom
            let growth = tripsTo * whole.tripsFrom - tripsFrom * whole.tripsTo
            return RoundedFraction(
                Self.percent * growth,
                sum * all - sumOfAll * below,
                by: below * all,
                and: 2 * all
            )
        case .vendorCost: return RoundedFraction(tripsTo - tripsFrom, sum, by: below, and: 2)
        }
    }

    /// Hundredths of a percent in one.
    private static let percent: Int128 = 10_000
}

/// A fraction rounded to the nearest integer, half away from zero, and exactly what rounding left.
struct RoundedFraction {
    /// The nearest integer.
    let whole: Int128
    /// What is left, as `rest + restAbove / restBelow` of the second divisor's parts.
    private let rest: Int128
    private let (restAbove, restBelow): (UInt128, UInt128)

    /// Divides a product of two factors by a product of two divisors.
    ///
    /// - Parameters:
    ///   - first: A factor.
    ///   - second: A factor.
    ///   - divisor: A divisor, greater than zero.
    ///   - common: The other divisor, an even number; all fractions that are compared share it.
    /// - Precondition: The product by the first divisor fits into 127 bits.
    init(_ first: Int128, _ second: Int128, by divisor: Int128, and common: Int128) {
        let isNegative = (first < 0) != (second < 0)
        let product = first.magnitude.multipliedFullWidth(by: second.magnitude)
        let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
        // The floor, also below zero.
        let isRaised = isNegative && remainder > 0
        let floor = isNegative ? -Int128(quotient) - (isRaised ? 1 : 0) : Int128(quotient)
        restAbove = isRaised ? divisor.magnitude - remainder : remainder
        restBelow = divisor.magnitude
        let half = common / 2
        let (near, above) = (floor + half).quotientAndRemainder(dividingBy: common)
        var whole = above < 0 ? near - 1 : near
        // A half below zero goes down, as one above goes up.
        if isNegative, remainder == 0, floor - whole * common == -half { whole -= 1 }
        self.whole = whole
        rest = floor - whole * common
    }

    /// Whether rounding took less from this fraction than from another, or gave it more.
    ///
    /// - Parameter other: A fraction with the same second divisor.
    /// - Returns: Whether the exact value lies further below its nearest integer, or less above it.
    func leavesLess(than other: RoundedFraction) -> Bool {
        guard rest == other.rest else { return rest < other.rest }
        let (left, right) = (
            restAbove.multipliedFullWidth(by: other.restBelow),
            other.restAbove.multipliedFullWidth(by: restBelow)
        )
        return (left.high, left.low) < (right.high, right.low)
    }
}
