import TestSupport
import TripDomain

@testable import TripMart

/// Declared measures and dimensions of a made generation, by the plainest code.
extension ReferenceGeneration {
    /// A measure with the value that it reads of a trip.
    struct Measured {
        let measure: DeclaredMeasure
        let value: @Sendable (ReferenceTrip) -> Int64?
    }

    static let measured = [
        Measured(
            measure: DeclaredMeasure(
                name: "far",
                kind: .median,
                column: "miles_hundredths",
                amount: .hundredthsOfMile,
                label: "Miles"
            ),
            value: \.miles
        ),
        Measured(
            measure: DeclaredMeasure(
                name: "paid",
                kind: .mean,
                column: "cost_cents",
                amount: .cents,
                label: "Paid"
            ),
            value: \.cost
        ),
        Measured(
            measure: DeclaredMeasure(name: "seen", kind: .count, column: "seen", label: "Seen"),
            value: { $0.seen == true ? 1 : 0 }
        ),
        Measured(
            measure: DeclaredMeasure(name: "all_seen", kind: .sum, column: "seen", label: "Sum"),
            value: { $0.seen.map { $0 ? 1 : 0 } }
        ),
        Measured(
            measure: DeclaredMeasure(
                name: "mid_seen",
                kind: .median,
                column: "seen",
                label: "Middle"
            ),
            value: { $0.seen.map { $0 ? 1 : 0 } }
        ),
    ]

    static let dimension = DeclaredDimension(name: "place", column: "station", label: "place")

    /// The value of a measure for some trips.
    static func value(_ measured: Measured, _ trips: [ReferenceTrip]) -> MeasureValue {
        let known = trips.compactMap(measured.value).sorted()
        let counts = Dictionary(grouping: known) { $0 }.mapValues { Int64($0.count) }
        return MeasureValue(
            measured.measure,
            MeasureSums(knownTrips: Int64(known.count), sum: known.reduce(0, +)),
            values: MeasureGroups.sorted(counts)
        )
    }

    /// The generation with these declarations.
    func declaredContents(number: Int = 1, suppressBelow: Int = 11) -> GenerationContents {
        var contents = contents(number: number, suppressBelow: suppressBelow)
        var cells = DeclaredCells()
        let groups = Dictionary(grouping: trips.filter(\.isCounted)) { trip in
            DeclaredGroup(
                month: trip.month.text,
                tripType: trip.tripType,
                region: trip.region,
                tripClass: trip.tripClass,
                basis: trip.basis
            )
        }
        for (group, own) in groups {
            for one in Self.measured {
                let known = own.compactMap(one.value)
                guard !known.isEmpty else { continue }
                cells.measures.append(
                    MeasureCell(
                        measure: one.measure.name,
                        group: group,
                        sums: MeasureSums(knownTrips: Int64(known.count), sum: known.reduce(0, +))
                    )
                )
                guard one.measure.kind == .median else { continue }
                for value in Set(known) {
                    let trips = Int64(known.count { $0 == value })
                    cells.values.append(
                        MeasureValueCell(
                            measure: one.measure.name,
                            group: group,
                            count: ValueCount(value: value, trips: trips)
                        )
                    )
                }
            }
            for (value, own) in Dictionary(grouping: own, by: { $0.station ?? "" }) {
                var sums = CostSums()
                for trip in own { sums.add(cost: trip.cost) }
                cells.dimensions.append(
                    DimensionCell(
                        dimension: Self.dimension.name,
                        value: value,
                        group: group,
                        sums: sums
                    )
                )
            }
        }
        contents.summary.declared.measures = Self.measured.map(\.measure)
        contents.summary.declared.dimensions = [Self.dimension]
        contents.summary.declared.cells = cells
        return contents
    }
}

extension BuiltMart {
    /// Writes, checks and publishes a generation with declared measures and dimensions.
    @discardableResult
    func publishDeclared(
        _ reference: ReferenceGeneration,
        number: Int = 1,
        suppressBelow: Int = 11
    ) throws
        -> ServedMart
    {
        let contents = reference.declaredContents(number: number, suppressBelow: suppressBelow)
        let built = try writer.write(contents)
        try GenerationChecker.require(built.path)
        try Publication(folder).publish(built)
        return try ServedMart.open(folder)
    }
}
