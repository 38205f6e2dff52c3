import TripDomain

/// The contents of the small tables: the totals of a run, and what follows from the order of its
/// trips.
struct SummarySource {
    let summary: GenerationSummary
    let months: [MonthRange]
    let bridge: [ReconciliationRow]

    init(_ summary: GenerationSummary, months: [MonthRange], bridge: [ReconciliationRow]) {
        self.summary = summary
        self.months = months
        self.bridge = bridge
    }

    /// - Complexity: O(*n*) in the accepted trips.
    init(_ contents: GenerationContents) {
        self.init(
            contents.summary,
            months: MonthRanges.find(in: contents),
            bridge: Reconciliation.rows(of: contents)
        )
    }
}
