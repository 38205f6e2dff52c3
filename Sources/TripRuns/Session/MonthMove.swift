public import TripDomain
import TripEngine
import TripMart

/// One month whose sums a run moved.
public struct MonthMove: Sendable, Hashable {
    /// The month.
    public let month: Month
    /// Its sums as served before; all 0 for a month that is new.
    public let before: KPISums
    /// Its sums as published now; all 0 for a month that is gone.
    public let after: KPISums

    /// Pairs the sums of a month.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - before: Its sums as served before.
    ///   - after: Its sums as published now.
    public init(month: Month, before: KPISums, after: KPISums) {
        self.month = month
        self.before = before
        self.after = after
    }

    /// How many trips came, went, or changed their class: the size of the move.
    public var weight: Int64 {
        [KPISum.inHouseTrips, .contractedTrips, .undeterminedTrips].reduce(0) {
            $0 + Int64((after[$1] - before[$1]).magnitude)
        }
    }

    /// The months that differ from those of a generation, in order; none without a generation.
    static func since(
        _ served: (any SummaryReading)?,
        _ after: [Month: KPISums]
    ) -> [MonthMove] {
        // A served file that is damaged must not stop the run that replaces it; one of an older
        // version lacks sums, and every month of it would seem to move.
        guard let served, (try? served.hasAllSums()) == true, let before = try? served.monthSums()
        else { return [] }
        return Set(before.keys).union(after.keys).sorted().map { month in
            MonthMove(
                month: month,
                before: before[month] ?? KPISums(),
                after: after[month] ?? KPISums()
            )
        }.filter { $0.before != $0.after }
    }
}

extension SummaryReading {
    /// The sums of all trips by month.
    func monthSums() throws(MartError) -> [Month: KPISums] {
        var sums: [Month: KPISums] = [:]
        for row in try kpi(KPIQuery(by: [.month])).rows {
            if let month = Month(text: row.keys[0]) { sums[month] = row.sums }
        }
        return sums
    }
}

extension Cube {
    /// The sums of all trips by month.
    var monthSums: [Month: KPISums] {
        var sums: [Month: KPISums] = [:]
        for cell in cells where cell.tripType == KPICell.all && cell.region == KPICell.all {
            if let month = Month(text: cell.month) { sums[month] = cell.sums }
        }
        return sums
    }
}
