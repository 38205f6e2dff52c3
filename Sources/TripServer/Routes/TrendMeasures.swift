import TripDomain
import TripMart
import TripText

/// The measures that the pipeline declares, month by month, for readers who see every number.
struct TrendMeasures {
    private let served: ServedMeasures

    /// Takes those of a generation.
    ///
    /// - Parameters:
    ///   - generation: The generation.
    ///   - numbers: The numbers that the reader may see: a condition may hold for any subset of the
    ///     trips, and no suppression is safe without knowing the subsets.
    init?(_ generation: ServedGeneration, _ numbers: VisibleNumbers) {
        // Most pipelines declare none.
        guard numbers == .whole, !generation.measures.measures.isEmpty else { return nil }
        served = generation.measures
    }

    /// The measures, in the pipeline's order.
    var declared: [DeclaredMeasure] { served.measures }

    /// The names of their columns.
    var names: [String] { declared.flatMap(ServedMeasure.names) }

    /// The values of these columns for some trips.
    func rowValues(_ filter: ServedFilter) -> [RowValue] { values(filter).flatMap(\.rowValues) }

    /// The measures of some trips, in the same order.
    fileprivate func values(_ filter: ServedFilter) -> [ServedMeasure] {
        zip(declared, served.values(filter)).map { ServedMeasure(measure: $0, value: $1) }
    }
}

extension JSONText {
    /// The measures of a filter, month by month.
    mutating func add(_ measures: TrendMeasures, _ filter: ServedFilter, _ months: [Month]) {
        let values = months.map { measures.values(filter.of($0)) }
        array("measures") { json in
            for (index, measure) in measures.declared.enumerated() {
                json.object { json in
                    json.value("name", measure.columnName)
                    json.array("values") { json in
                        for month in values { json.element(month[index].number) }
                    }
                    json.array("known_trips") { json in
                        for month in values {
                            json.element(.integer(month[index].value.knownTrips))
                        }
                    }
                }
            }
        }
    }
}
