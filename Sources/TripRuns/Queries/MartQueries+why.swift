public import TripDomain
public import TripMart

extension MartQueries {
    /// `kpi --why`: the changes between two months, taken apart by region and by trip type.
    ///
    /// - Parameters:
    ///   - from: The month that is compared with.
    ///   - to: The month whose numbers changed.
    ///   - filters: Which trips; where it groups by the region or the trip type, by that alone.
    ///   - generation: A generation as published; nil is the served one.
    ///   - day: The day whose regions all trips are assigned to; nil keeps the region of each trip.
    ///   - threadCount: Threads to use where trips are read; the answer does not depend on it.
    /// - Returns: The answer.
    /// - Throws: As ``kpi(_:asPublished:regionsAsOf:threadCount:)``; ``RunError`` where the
    ///   generation has no trips of one of the months.
    public func why(
        from: Month,
        to: Month,
        _ filters: KPIQuery,
        asPublished generation: Int? = nil,
        regionsAsOf day: CivilDate? = nil,
        threadCount: Int = 2
    ) throws -> PublishedChange {
        try asking(generation, regionsAsOf: day, threadCount: threadCount) { source in
            let query = try known(filters, in: [source])
            let dimensions = query.by.isEmpty ? [.region, .tripType] : query.by
            var (before, after) = (query, query)
            (before.by, after.by) = ([], [])
            (before.months, after.months) = (from...from, to...to)
            return PublishedChange(
                header: source.header,
                query: query,
                from: try month(from, in: source),
                to: try month(to, in: source),
                sums: (try source.kpi(before).total.sums, try source.kpi(after).total.sums),
                changes: try dimensions.map {
                    try source.change(from: from, to: to, by: $0, query)
                },
                regionsAsOf: day,
                hasCosts: try source.kpi(KPIQuery()).total.sums.costs.costedTrips > 0,
                labels: try ValueLabels(dimensions, in: source)
            )
        }
    }

    private func month(_ month: Month, in source: any SummaryReading) throws -> MonthRow {
        let months = try source.months()
        if let row = months.first(where: { $0.month == month }) { return row }
        let known = Counted.months(months.map(\.month))
        throw RunError(
            .usage,
            summary: "no such month",
            what: "Generation \(source.header.number) has no trips of \(month.text). "
                + (known.isEmpty ? "It has no trips at all." : "It has trips of \(known)."),
            remedies: ["Compare two of these months: triptych kpi --why FROM..TO"]
        )
    }
}

/// The changes between two months of one generation, taken apart.
public struct PublishedChange: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The filters, and the dimension where one was asked for.
    public let query: KPIQuery
    /// The month that is compared with.
    public let from: MonthRow
    /// The month whose numbers changed.
    public let to: MonthRow
    /// The sums of the trips of either month.
    public let sums: (from: KPISums, to: KPISums)
    /// The changes by each dimension.
    public let changes: [MonthChange]
    /// The day whose regions all trips are assigned to; nil where each has its own.
    public let regionsAsOf: CivilDate?
    /// Whether any counted trip of the generation, filtered or not, has a known cost.
    public let hasCosts: Bool
    /// The labels of the regions and trip types.
    public let labels: ValueLabels
}
