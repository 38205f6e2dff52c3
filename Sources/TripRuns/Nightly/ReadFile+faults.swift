import TripDomain

/// Trips of one file that show a fault of the pipeline: the run stops.
extension ExportsReading.ReadFile {
    /// Refuses a trip whose derived region or trip type is the reserved word.
    func requireNoReservedWord() throws(RunError) {
        guard let record = content.reservedRecord else { return }
        throw RunError(
            .badPipeline,
            summary: "a reserved word as region or trip type",
            what: "\(entry.path), record \(record), would belong to the region or "
                + "trip type `\(KPICell.all)`, which stands for the sum of all.",
            remedies: ["Map the word to another with `values` in the layout."]
        )
    }

    /// Refuses a trip whose derived cost no sum could hold.
    func requirePlausibleCosts() throws(RunError) {
        guard let record = content.excessiveRecord else { return }
        throw RunError(
            .badPipeline,
            summary: "a cost of more than nine digits before the point",
            what: "\(entry.path), record \(record), would cost more than $999,999,999.99 "
                + "by the derived field that `kpis: cost` names.",
            remedies: [
                "Look at what it is derived from: it must give cents, and not dollars times "
                    + "cents."
            ]
        )
    }
}
