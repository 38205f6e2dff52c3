import TripDomain

/// What the small tables are made from: what a run says of all trips, and what their order says.
struct SummarySource {
    let summary: GenerationSummary
    let months: [MonthRange]
    let bridge: [BridgeRow]

    init(_ summary: GenerationSummary, months: [MonthRange], bridge: [BridgeRow]) {
        self.summary = summary
        self.months = months
        self.bridge = bridge
    }

    /// - Complexity: O(*n*) in the accepted trips.
    init(_ contents: GenerationContents) {
        self.init(
            contents.summary,
            months: MonthRanges.find(in: contents),
            bridge: Bridge.rows(of: contents)
        )
    }
}
