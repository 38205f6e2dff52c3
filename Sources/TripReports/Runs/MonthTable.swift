import TripDomain

/// The KPIs of the months a run would publish, as `kpi` shows them.
struct MonthTable {
    /// The months that are shown, the latest.
    private static let monthMax = 12

    private let months: [Month: KPISums]

    /// Shows some months.
    ///
    /// - Parameter months: The sums of each.
    init(_ months: [Month: KPISums]) {
        self.months = months
    }

    /// One row for each of the latest months; columns of costs where some are known.
    var table: TextTable {
        let shown = months.keys.sorted().suffix(Self.monthMax)
        let all = shown.compactMap { months[$0] }
        let hasCosts = all.contains { $0.costs.costedTrips > 0 }
        let columns = KPI.table.filter { $0.label != nil && (hasCosts || !$0.isOfCosts) }
        var table = TextTable(
            [TextTable.Column(title: "month", alignment: .left)]
                + columns.map { kpi in
                    TextTable.Column(
                        title: kpi.label ?? "",
                        alignment: .right,
                        rank: kpi.isOfCosts ? 2 : 0
                    )
                }
        )
        for (month, sums) in zip(shown, all) {
            table.add([month.text] + columns.map { $0.text(sums) })
        }
        return table
    }
}
