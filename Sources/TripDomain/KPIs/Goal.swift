/// The in-house % that a pipeline aims at, from a month on.
public struct Goal: Sendable, Hashable {
    /// The first month it is in force; it ends where the next one begins.
    public let from: Month
    /// The in-house % aimed at, in hundredths of a percent.
    public let inHousePercentHundredths: Int64

    /// Describes a goal.
    ///
    /// - Parameters:
    ///   - from: The first month it is in force.
    ///   - inHousePercentHundredths: The in-house % aimed at, in hundredths of a percent.
    public init(from: Month, inHousePercentHundredths: Int64) {
        self.from = from
        self.inHousePercentHundredths = inHousePercentHundredths
    }

    /// What an interval says of a goal.
    public enum Verdict: String, Sendable {
        /// The share is at the goal or above it, however the undetermined trips fall.
        case above
        /// The share is below the goal, however the undetermined trips fall.
        case below
        /// The undetermined trips decide, or the interval is not known.
        case notDecided = "not_decided"
    }

    /// Compares an interval with the goal.
    ///
    /// - Parameters:
    ///   - low: The in-house % if all undetermined trips were contracted, in hundredths of a
    ///     percent; nil where it is not known, or hidden.
    ///   - high: The same if all undetermined trips were in-house.
    /// - Returns: What both bounds agree on.
    public func verdict(low: Int64?, high: Int64?) -> Verdict {
        guard let low, let high else { return .notDecided }
        if low >= inHousePercentHundredths { return .above }
        return high < inHousePercentHundredths ? .below : .notDecided
    }

    /// The possible goals, in hundredths of a percent.
    public static let possible: ClosedRange<Int64> = 0...10_000
}

extension [Goal] {
    /// The goal in force in a month; nil before the first one.
    public func inForce(in month: Month) -> Goal? {
        filter { $0.from <= month }.max { $0.from < $1.from }
    }

    /// The goal in force in all months of an answer; nil where it changes, or where there is none.
    ///
    /// - Parameter months: The months, in order.
    /// - Returns: The goal; nil also without months.
    public func inForce(throughout months: [Month]) -> Goal? {
        guard let first = months.first, let last = months.last, let goal = inForce(in: first)
        else { return nil }
        return inForce(in: last) == goal ? goal : nil
    }
}
