import TripDomain
import TripMart
import TripText

/// The declared measures at both ends of the way, under the causes that it is divided into.
extension ChangesAnswer {
    /// The measures, in the order of the served generation, then those that it no longer declares;
    /// none where neither end declares any, or its reader does not see every number.
    var measures: [MeasureChange] { steps?.measures ?? [] }

    /// What is said of each.
    var measureTable: AnswerTable {
        AnswerTable(
            names: ["name", "label", "kind", "unit", "amount"] + Self.measureNames,
            rows: measures.map { change in
                let measure = change.measure
                return [
                    .text(measure.columnName), .text(measure.label), .text(measure.kind.rawValue),
                    .text(measure.unit), .text(measure.amount.rawValue),
                ] + change.rowValues
            }
        )
    }

    /// The columns that rows of CSV have where a measure is declared, after all others.
    static let measureNames: [StaticString] = [
        "comparison", "before", "after", "change", "before_known_trips", "after_known_trips",
    ]
}

extension MeasureChange {
    /// The values of these columns.
    var rowValues: [RowValue] {
        let states = [before, after]
        return [.text(comparison.rawValue)]
            + states.map { .number($0?.number ?? .integer(nil)) }
            + [.number(measure.isInHundredths ? .hundredths(change) : .integer(change))]
            + states.map { .number(.integer($0?.value.knownTrips)) }
    }
}

extension MeasureChange.State {
    /// The value, as its own generation declares it.
    fileprivate var number: JSONNumber { ServedMeasure(measure: measure, value: value).number }
}
