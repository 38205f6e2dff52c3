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
    /// How many of its trips are of another region or trip type now.
    public let regrouped: Int64
    /// How many of its trips changed their class within their region and trip type.
    public let reclassified: Int64

    /// Pairs the sums of a month.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - before: Its sums as served before.
    ///   - after: Its sums as published now.
    ///   - regrouped: How many of its trips are of another region or trip type now.
    ///   - reclassified: How many changed their class within both.
    public init(
        month: Month,
        before: KPISums,
        after: KPISums,
        regrouped: Int64 = 0,
        reclassified: Int64 = 0
    ) {
        self.month = month
        self.before = before
        self.after = after
        self.regrouped = regrouped
        self.reclassified = reclassified
    }

    /// How many trips came, went, or changed their class: the size of the move.
    public var weight: Int64 { Self.moved(before, after) + regrouped + reclassified }

    /// How many trips came or went in each class, added up.
    private static func moved(_ before: KPISums, _ after: KPISums) -> Int64 {
        [KPISum.inHouseTrips, .contractedTrips, .undeterminedTrips].reduce(0) {
            $0 + Int64((after[$1] - before[$1]).magnitude)
        }
    }

    /// The months that differ from those of a generation, in order; none without a generation.
    static func since(
        _ served: (any SummaryReading)?,
        _ after: MonthGroups
    ) -> [MonthMove] {
        // A served file that is damaged must not stop the run that replaces it; one of an older
        // version lacks sums, and every month of it would seem to move.
        guard let served, (try? served.hasAllSums()) == true, let before = try? served.monthGroups()
        else { return [] }
        return Set(before.keys).union(after.keys).sorted().compactMap { month in
            let (old, new) = (before[month] ?? [:], after[month] ?? [:])
            guard old != new else { return nil }
            let (sums, newSums) = (Self.total(old), Self.total(new))
            var move = (trips: Int64(0), classes: Int64(0))
            for group in Set(old.keys).union(new.keys) {
                let (one, other) = (old[group] ?? KPISums(), new[group] ?? KPISums())
                let trips = Int64((other[.trips] - one[.trips]).magnitude)
                move.trips += trips
                // A trip that changed its class is counted by both classes.
                move.classes += (Self.moved(one, other) - trips) / 2
            }
            let net = Int64((newSums[.trips] - sums[.trips]).magnitude)
            return MonthMove(
                month: month,
                before: sums,
                after: newSums,
                // A trip that left one group for another is counted by both.
                regrouped: (move.trips - net) / 2,
                reclassified: move.classes
            )
        }
    }

    private static func total(_ groups: [[UInt8]: KPISums]) -> KPISums {
        groups.values.reduce(into: KPISums()) { $0 += $1 }
    }
}

/// Per month the sums of each trip type and region, by both as bytes: texts that are equal in
/// Unicode may be two values.
typealias MonthGroups = [Month: [[UInt8]: KPISums]]

extension SummaryReading {
    /// The sums of each group of trips by month.
    func monthGroups() throws(MartError) -> MonthGroups {
        var groups: MonthGroups = [:]
        for row in try kpi(KPIQuery(by: [.month, .tripType, .region])).rows {
            guard let month = Month(text: row.keys[0]) else { continue }
            groups[month, default: [:]][Cube.group(row.keys[1], row.keys[2])] = row.sums
        }
        return groups
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

    /// The sums of each group of trips by month.
    var monthGroups: MonthGroups {
        var groups: MonthGroups = [:]
        for cell in cells where cell.tripType != KPICell.all && cell.region != KPICell.all {
            guard let month = Month(text: cell.month) else { continue }
            groups[month, default: [:]][Self.group(cell.tripType, cell.region)] = cell.sums
        }
        return groups
    }

    fileprivate static func group(_ tripType: String, _ region: String) -> [UInt8] {
        Array(tripType.utf8) + [0] + Array(region.utf8)
    }
}
