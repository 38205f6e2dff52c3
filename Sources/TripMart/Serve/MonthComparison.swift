public import TripDomain

/// An earlier month that a month is compared with.
public struct MonthComparison: Sendable {
    /// How the two can be compared.
    public enum Kind: String, Sendable {
        /// The earlier month as it read when it was as old as the later one is now.
        case sameAge = "same_age"
        /// Both are settled.
        case settled
    }

    /// The earlier month.
    public let month: Month
    /// How it is compared.
    public let kind: Kind
    /// The days from its end to the last day of the data it was read from; negative before its end.
    public let ageDays: Int
    /// The generation it is read from.
    public let generation: GenerationHeader
    /// Its sums.
    public let cell: ServedCell
    /// Its declared measures, as that generation declares them; empty where none is asked for.
    public let measures: [MeasureChange.State]
}

extension ServedGeneration {
    /// The earlier month that a filter of one month is compared with: the one a year before or,
    /// where that has no such trips, or its reader may not see how many, the month before.
    ///
    /// A month with less than a tenth of the trips is none: exports begin with a few strays.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - numbers: The numbers that its reader may see.
    /// - Returns: The month; nil where the filter is not of one month with trips, where nothing can
    ///   be compared, and for an open month where its reader does not see every number.
    /// - Complexity: Some look-ups; no file is read.
    public func comparison(
        _ filter: ServedFilter,
        _ numbers: VisibleNumbers
    ) -> MonthComparison? {
        guard let months = filter.months, months.lowerBound == months.upperBound else { return nil }
        let (month, cube) = (months.lowerBound, cube(numbers))
        guard cube.months(of: filter).contains(month) else { return nil }
        let trips = cube.cell(filter).trips
        let known = isOpen(month) ? earlierMonths[month] : settledMonths(before: month)
        func of(_ earlier: EarlierMonths.Entry) -> ServedFilter {
            var own = filter
            own.months = earlier.month...earlier.month
            return own
        }
        return MonthComparison.best(
            of: known.filter { $0.numbers == nil || numbers == .whole },
            trips: trips,
            measures: { earlier in
                // They are for readers who see every number.
                guard numbers == .whole else { return [] }
                return (earlier.numbers?.measures ?? self.measures).states(of(earlier))
            },
            cell: { earlier in (earlier.numbers?.cube ?? cube).cell(of(earlier)) }
        )
    }

    private func settledMonths(before month: Month) -> [EarlierMonths.Entry] {
        EarlierMonths.candidates(of: month).filter { earlier in
            !isOpen(earlier) && months.contains { $0.month == earlier }
        }.map { EarlierMonths.Entry(month: $0, header: header, numbers: nil) }
    }
}

extension ServedMart {
    /// The earlier month that a month of all trips is compared with, by every number: the rule of
    /// ``ServedGeneration/comparison(_:_:)``.
    ///
    /// - Parameters:
    ///   - row: The month.
    ///   - rows: All months, each with its sums.
    ///   - folder: The mart, whose history files have the earlier months of an open one.
    /// - Returns: The month; nil where nothing can be compared.
    /// - Complexity: O(*n*) in the rows; for an open month in the history files of a year.
    public func comparison(
        of row: KPIRow,
        among rows: [KPIRow],
        in folder: MartFolder
    ) -> MonthComparison? {
        guard let month = Month(text: row.keys[0]) else { return nil }
        func settled(_ month: Month) -> KPIRow? {
            rows.first { $0.keys[0] == month.text && !$0.isOpen }
        }
        let history = HistoryIndex(folder)
        let known =
            row.isOpen
            ? EarlierMonths(header, open: [month], history: history)[month]
            : EarlierMonths.candidates(of: month).filter { settled($0) != nil }
                .map { EarlierMonths.Entry(month: $0, header: header, numbers: nil) }
        return MonthComparison.best(of: known, trips: row.sums.trips, measures: { _ in [] }) {
            earlier in
            let months = earlier.month...earlier.month
            return earlier.numbers?.cube.cell(ServedFilter(months: months))
                ?? ServedCell(settled(earlier.month)?.sums ?? KPISums())
        }
    }
}

extension MonthComparison {
    /// The first of some earlier months that has enough trips, and shows how many.
    ///
    /// - Parameters:
    ///   - known: The earlier months, the best first.
    ///   - trips: The trips of the month that is compared; nil where they are hidden.
    ///   - measures: The declared measures of an earlier month.
    ///   - cell: The sums of an earlier month.
    /// - Returns: The month; one whose count is hidden where none shows it; else nil.
    fileprivate static func best(
        of known: [EarlierMonths.Entry],
        trips: Int64?,
        measures: (EarlierMonths.Entry) -> [MeasureChange.State],
        cell: (EarlierMonths.Entry) -> ServedCell
    ) -> MonthComparison? {
        let found = known.compactMap { earlier -> MonthComparison? in
            let cell = cell(earlier)
            guard let through = earlier.header.dataThrough, cell.mayHaveTrips else { return nil }
            if let then = cell.trips, let trips, then * 10 < trips { return nil }
            return MonthComparison(
                month: earlier.month,
                kind: earlier.numbers == nil ? .settled : .sameAge,
                ageDays: Int(through.dayNumber - earlier.month.lastDay.dayNumber),
                generation: earlier.header,
                cell: cell,
                measures: measures(earlier)
            )
        }
        return found.first { $0.cell.trips != nil } ?? found.first
    }
}
