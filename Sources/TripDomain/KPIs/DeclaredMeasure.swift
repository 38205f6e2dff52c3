/// A number that a pipeline declares beside the KPIs that every pipeline has: a count, a sum, a
/// mean or a median of one column of the counted trips.
public struct DeclaredMeasure: Sendable, Hashable {
    /// What is made of the values of the trips.
    public enum Kind: String, Sendable, CaseIterable {
        /// The number of trips of which a condition holds: whose column is neither 0 nor NULL. It
        /// is known of every trip.
        case count
        /// The sum of the known values.
        case sum
        /// The sum of the known values, divided by their number.
        case mean
        /// The value in the middle of the known ones; of an even number, the mean of the two there.
        case median
    }

    /// What the values of the column count.
    public enum Amount: String, Sendable {
        /// Whole numbers, of whatever unit.
        case whole
        /// US cents.
        case cents
        /// Hundredths of a mile.
        case hundredthsOfMile = "hundredths"
    }

    /// The unit of a derived column that counts cents.
    public static let centsUnit = "cents"

    /// Its name in the pipeline.
    public let name: String
    /// What is made of the values.
    public let kind: Kind
    /// The column of the trips.
    public let column: String
    /// What its values count.
    public let amount: Amount
    /// The title that people read.
    public let label: String
    /// The unit that people read, such as `min`; empty where none is declared.
    public let unit: String

    /// Describes a measure.
    public init(
        name: String,
        kind: Kind,
        column: String,
        amount: Amount = .whole,
        label: String,
        unit: String = ""
    ) {
        self.name = name
        self.kind = kind
        self.column = column
        self.amount = amount
        self.label = label
        self.unit = unit
    }

    /// The same measure of a column that was found.
    ///
    /// - Parameters:
    ///   - column: The column's name in the trips.
    ///   - amount: What its values count.
    /// - Returns: The measure.
    public func of(_ column: String, _ amount: Amount) -> DeclaredMeasure {
        DeclaredMeasure(
            name: name,
            kind: kind,
            column: column,
            amount: amount,
            label: label,
            unit: unit
        )
    }

    /// The name of its column in answers: that of the pipeline, with the unit of amounts.
    public var columnName: String {
        guard kind != .count else { return name }
        return switch amount {
        case .whole: name
        case .cents: name + "_cents"
        case .hundredthsOfMile: name + "_hundredths"
        }
    }

    /// The name of the column that says of how many trips it is known; nil for a count.
    public var knownName: String? { kind == .count ? nil : name + "_known_trips" }

    /// Whether its values are in hundredths of its unit: means and medians of whole numbers.
    public var isInHundredths: Bool {
        amount == .whole && (kind == .mean || kind == .median)
    }
}

/// The sums of a declared measure over some trips, and what follows from them.
public struct MeasureSums: Sendable, Hashable {
    /// The number of trips whose value is known.
    public var knownTrips: Int64
    /// The sum of the known values; of a count, the number of trips of which the condition holds.
    public var sum: Int64

    /// Describes sums; by default of no trip.
    public init(knownTrips: Int64 = 0, sum: Int64 = 0) {
        self.knownTrips = knownTrips
        self.sum = sum
    }

    /// Adds the sums of other trips.
    public static func += (left: inout MeasureSums, right: MeasureSums) {
        left.knownTrips += right.knownTrips
        left.sum += right.sum
    }
}

/// How often a value of a column occurs among some trips.
public struct ValueCount: Sendable, Hashable {
    /// The value.
    public let value: Int64
    /// The number of trips that have it.
    public let trips: Int64

    /// Describes a value.
    public init(value: Int64, trips: Int64) {
        self.value = value
        self.trips = trips
    }
}

/// The value of a declared measure for a group of trips.
public struct MeasureValue: Sendable, Hashable {
    /// The number of trips whose value is known.
    public let knownTrips: Int64
    /// The value, in hundredths where the measure is; nil where it is known of no trip.
    public let value: Int64?

    /// Describes a value.
    public init(knownTrips: Int64, value: Int64?) {
        self.knownTrips = knownTrips
        self.value = value
    }

    /// Derives a value from sums; a half is rounded up, also below zero.
    ///
    /// - Parameters:
    ///   - measure: The measure.
    ///   - sums: The sums of the group, within ``SumLimit``.
    ///   - values: How often each value occurs, in order of the values; used by medians alone.
    public init(_ measure: DeclaredMeasure, _ sums: MeasureSums, values: [ValueCount] = []) {
        knownTrips = sums.knownTrips
        guard sums.knownTrips > 0 else {
            value = nil
            return
        }
        switch measure.kind {
        case .count, .sum: value = sums.sum
        case .mean:
            let factor: Int64 = measure.isInHundredths ? 100 : 1
            value = CivilTime.floorDivide(
                2 * factor * sums.sum + sums.knownTrips,
                2 * sums.knownTrips
            )
        case .median:
            let (low, high) = Self.middle(of: values)
            // The mean of two whole numbers has no more than one decimal.
            value =
                measure.isInHundredths
                ? 50 * (low + high) : CivilTime.floorDivide(low + high + 1, 2)
        }
    }

    /// The two values in the middle, which are one where their number is odd.
    private static func middle(of values: [ValueCount]) -> (Int64, Int64) {
        let count = values.reduce(0) { $0 + $1.trips }
        func value(at index: Int64) -> Int64 {
            var passed: Int64 = 0
            for one in values {
                passed += one.trips
                if index < passed { return one.value }
            }
            return 0
        }
        return (value(at: (count - 1) / 2), value(at: count / 2))
    }
}
