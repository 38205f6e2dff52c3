/// The unit of a KPI, in which it is a whole number.
public enum KPIUnit: Sendable {
    /// Trips.
    case trips
    /// US cents.
    case cents
    /// Hundredths of a mile.
    case hundredthsOfMile
    /// Hundredths of a percent.
    case hundredthsOfPercent
}

/// How the text of `kpi` prints a KPI.
public enum KPIFormat: Sendable {
    /// The number by itself, as its unit is printed.
    case number
    /// The number and another ratio of the same unit, as the ends of an interval.
    case interval(to: KPIRatio)
    /// The share that it is of another sum, in whole percent.
    case share(of: KPISum)
}

/// A quotient of sums.
public struct KPIQuotient: Sendable {
    /// The sums that are added up above the line.
    public let part: [KPISum]
    /// The factor of their sum.
    public let factor: Int64
    /// The sums that are added up below the line.
    public let whole: [KPISum]
    /// The unit: hundredths of a percent, or that of a cost.
    public let unit: KPIUnit

    /// A percentage.
    static func percent(_ part: [KPISum], of whole: [KPISum]) -> KPIQuotient {
        KPIQuotient(part: part, factor: 1, whole: whole, unit: .hundredthsOfPercent)
    }

    /// An amount per something.
    static func quotient(
        _ part: [KPISum],
        times factor: Int64 = 1,
        by whole: [KPISum],
        _ unit: KPIUnit
    ) -> KPIQuotient {
        KPIQuotient(part: part, factor: factor, whole: whole, unit: unit)
    }

    /// The nearest integer, in the quotient's unit; a half is rounded up, also below zero.
    ///
    /// - Parameter sums: The sums of a group, within ``SumLimit``.
    /// - Returns: The quotient; nil where the divisor is not greater than zero.
    public func value(_ sums: KPISums) -> Int64? {
        let divisor = whole.reduce(0) { $0 + sums[$1] }
        guard divisor > 0 else { return nil }
        let dividend = part.reduce(0) { $0 + sums[$1] } * factor
        switch unit {
        // No number of trips is below zero, so that truncation is enough.
        case .hundredthsOfPercent: return (20_000 * dividend + divisor) / (2 * divisor)
        case .trips, .cents, .hundredthsOfMile:
            return CivilTime.floorDivide(2 * dividend + divisor, 2 * divisor)
        }
    }
}

/// How many trips of a class have a known cost.
///
/// Readers would take the cost of a class for the cost of all its trips, and compare it with
/// another class's.
public struct KPICoverage: Sendable {
    /// The trips whose cost is known.
    public let known: KPISum
    /// All trips.
    public let trips: KPISum

    /// Describes a class.
    public init(_ known: KPISum, of trips: KPISum) {
        self.known = known
        self.trips = trips
    }

    /// Where the costs of fewer trips are known, their sum is not shown as one of all trips.
    public static let leastPercent: Int64 = 80

    /// Whether the costs of at least 80 % of the trips are known.
    public func isMost(_ sums: KPISums) -> Bool {
        sums[known] * 100 >= sums[trips] * Self.leastPercent
    }
}

/// One row of the table of KPIs: a number that is published for each group of trips.
///
/// `docs/ARCHITECTURE.md` says how to add one.
public struct KPI: Sendable {
    /// What the number is.
    public enum Definition: Sendable {
        /// A stored sum: what is added up, and of which class; nil for all classes.
        case sum(KPISum, KPIMeasure, of: TripClass?)
        /// A ratio of stored sums.
        case ratio(KPIRatio, KPIQuotient)
    }

    /// The name of its column and its JSON key.
    public let name: String
    /// The same, for writers of bytes.
    public let key: StaticString
    /// What it is.
    public let definition: Definition
    /// The title of its column in the text of `kpi`; nil where it has none.
    public let label: String?
    /// How that column is printed.
    public let format: KPIFormat
    /// Whether `/kpi` answers with it; a part of a ratio is for those who read the store.
    public let isServed: Bool
    /// The values that must mostly be known for `/kpi` to answer with it; nil where any number of
    /// them is enough.
    public let coverage: KPICoverage?
    /// Whether it was added after the first version: files of before lack it, and rows of JSON and
    /// CSV have it at their end.
    public let isLater: Bool
    /// The stored sums that it is made of.
    public let sums: KPISumSet

    /// Whether it is an amount, or says how many amounts are known.
    public var isOfCosts: Bool {
        if case .sum(_, .costedTrips, _) = definition { return true }
        return unit == .cents
    }

    /// A stored sum.
    init(
        _ sum: KPISum,
        _ name: StaticString,
        _ measure: KPIMeasure,
        of tripClass: TripClass? = nil,
        label: String? = nil,
        _ format: KPIFormat = .number,
        coverage: KPICoverage? = nil,
        isServed: Bool = true,
        isLater: Bool = false
    ) {
        self.name = name.description
        key = name
        definition = .sum(sum, measure, of: tripClass)
        self.label = label
        self.format = format
        self.isServed = isServed
        self.coverage = coverage
        self.isLater = isLater
        sums = [sum]
    }

    /// A ratio.
    init(
        _ ratio: KPIRatio,
        _ name: StaticString,
        _ quotient: KPIQuotient,
        label: String? = nil,
        _ format: KPIFormat = .number,
        isServed: Bool = true,
        isLater: Bool = false
    ) {
        self.name = name.description
        key = name
        definition = .ratio(ratio, quotient)
        self.label = label
        self.format = format
        self.isServed = isServed
        coverage = nil
        self.isLater = isLater
        sums = KPISumSet(quotient.part + quotient.whole)
    }

    /// Its unit.
    public var unit: KPIUnit {
        switch definition {
        case .sum(_, let measure, of: _): measure.unit
        case .ratio(_, let quotient): quotient.unit
        }
    }

    /// Whether it is derived from stored sums.
    public var isRatio: Bool {
        if case .ratio = definition { true } else { false }
    }

    /// Its value for a group of trips; nil where it is a ratio that has none.
    public func value(_ sums: KPISums) -> Int64? {
        switch definition {
        case .sum(let sum, _, of: _): sums[sum]
        case .ratio(_, let quotient): quotient.value(sums)
        }
    }
}

extension KPISum {
    /// The rows of the table that are sums, in the order of the store.
    private static let rows: [(kpi: KPI, measure: KPIMeasure, tripClass: TripClass?)] =
        allCases.map { sum in
            for kpi in KPI.table {
                if case .sum(sum, let measure, of: let tripClass) = kpi.definition {
                    return (kpi, measure, tripClass)
                }
            }
            preconditionFailure("every stored sum has a row in the table")
        }

    /// Its row in the table.
    public var kpi: KPI { Self.rows[rawValue].kpi }
    /// The name of its column.
    public var name: String { kpi.name }
    /// Whether it was added after the first version.
    public var isLater: Bool { kpi.isLater }
    /// What it adds up.
    public var measure: KPIMeasure { Self.rows[rawValue].measure }
    /// The class of its trips; nil for all.
    public var tripClass: TripClass? { Self.rows[rawValue].tripClass }
}

extension KPIRatio {
    /// The rows of the table that are ratios, in the order of the cases.
    private static let rows: [(kpi: KPI, quotient: KPIQuotient)] = allCases.map { ratio in
        for kpi in KPI.table {
            if case .ratio(ratio, let quotient) = kpi.definition { return (kpi, quotient) }
        }
        preconditionFailure("every ratio has a row in the table")
    }

    /// Its row in the table.
    public var kpi: KPI { Self.rows[rawValue].kpi }
    /// The sums that it is the quotient of.
    public var quotient: KPIQuotient { Self.rows[rawValue].quotient }
}

/// Some of the stored sums: a bit for each.
public struct KPISumSet: Sendable, Hashable, ExpressibleByArrayLiteral {
    private var bits: UInt32 = 0

    /// All stored sums.
    public static let all = KPISumSet(KPISum.allCases)

    /// Gathers sums.
    public init(_ sums: some Sequence<KPISum>) { for sum in sums { insert(sum) } }

    /// Gathers sums.
    public init(arrayLiteral sums: KPISum...) { self.init(sums) }

    /// Whether it has none.
    public var isEmpty: Bool { bits == 0 }

    /// Whether it has a sum.
    public func contains(_ sum: KPISum) -> Bool { bits >> UInt32(sum.rawValue) & 1 == 1 }

    /// Whether it has all sums of another set.
    public func contains(_ other: KPISumSet) -> Bool { other.bits & ~bits == 0 }

    /// Whether it has no sum of another set.
    public func isDisjoint(with other: KPISumSet) -> Bool { bits & other.bits == 0 }

    /// Adds a sum.
    public mutating func insert(_ sum: KPISum) {
        precondition(sum.rawValue < UInt32.bitWidth, "a set has a bit for each sum")
        bits |= 1 << UInt32(sum.rawValue)
    }

    /// Adds the sums of another set.
    public mutating func formUnion(_ other: KPISumSet) { bits |= other.bits }
}
