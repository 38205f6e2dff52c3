import TripDomain
import TripMart
import TripText

extension KPIAnswer {
    /// What its rows may be; the first where the client does not say.
    static let rows: [KPIDimension] = [.month, .tripType, .region, .basis]

    /// The rows of one kind as CSV.
    ///
    /// - Parameter rows: What they are.
    /// - Returns: The text; of bases that its reader may not see no row.
    func csv(by rows: KPIDimension) -> [UInt8] {
        switch rows {
        case .basis: byBasis
        case .tripType:
            table(named: rows, cube.byTripType(filter)) { measures(filter.of(tripType: $0)) }
        case .region:
            table(named: rows, cube.byRegion(filter)) { measures(filter.of(region: $0)) }
        default:
            table(
                ["month", "month_open"],
                cube.byMonth(filter).map { month, cell in
                    (
                        [.text(month.text), .truth(generation.isOpen(month))], cell,
                        measures(filter.of(month))
                    )
                }
            )
        }
    }

    private func table(
        named rows: KPIDimension,
        _ entries: [(label: DimensionLabel, cell: ServedCell)],
        _ measures: (String) -> [ServedMeasure]
    ) -> [UInt8] {
        table(
            [rows.rawValue, "label"],
            entries.map {
                ([.text($0.label.value), .text($0.label.label)], $0.cell, measures($0.label.value))
            }
        )
    }

    private func table(
        _ names: [String],
        _ rows: [([RowValue], ServedCell, [ServedMeasure])]
    ) -> [UInt8] {
        let origin = OriginColumns.values(generation)
        return CSVText.text(
            names + KPI.served.map(\.name) + ["suppressed"] + OriginColumns.names
                + declaredMeasures.flatMap(ServedMeasure.names),
            rows.map { keys, cell, measures in
                let numbers = KPI.served.map { RowValue.number($0.number(cell.value($0))) }
                return keys + numbers + [.truth(cell.isSuppressed)] + origin
                    + measures.flatMap(\.rowValues)
            }
        )
    }

    private var byBasis: [UInt8] {
        let origin = OriginColumns.values(generation)
        return CSVText.text(
            ["class", "basis", "trips", "costed_trips", "cost_cents"] + OriginColumns.names
                + declaredMeasures.flatMap(ServedMeasure.names),
            (bases?.byBasis(filter) ?? []).map { classAndBasis, sums in
                [
                    .text(classAndBasis.tripClass.word), .text(classAndBasis.basis),
                    .number(.integer(sums.trips)), .number(.integer(sums.costedTrips)),
                    .number(.integer(sums.costCents)),
                ] + origin + measures(classAndBasis).flatMap(\.rowValues)
            }
        )
    }
}
