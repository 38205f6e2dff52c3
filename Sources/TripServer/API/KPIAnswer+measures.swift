import TripDomain
import TripMart
import TripText

/// A declared measure of a group.
struct ServedMeasure {
    let measure: DeclaredMeasure
    let value: MeasureValue

    /// The value in the measure's unit.
    var number: JSONNumber {
        measure.isInHundredths ? .hundredths(value.value) : .integer(value.value)
    }

    /// The names of its columns.
    static func names(_ measure: DeclaredMeasure) -> [String] {
        [measure.columnName] + [measure.knownName].compactMap(\.self)
    }

    /// The values of these columns.
    var rowValues: [RowValue] {
        [.number(number)]
            + (measure.knownName == nil ? [] : [.number(.integer(value.knownTrips))])
    }
}

extension KPIAnswer {
    /// The measures that are shown: those of the pipeline, for a reader who sees every number.
    ///
    /// A condition may hold for any subset of the trips, and no suppression is safe without knowing
    /// the subsets.
    var declaredMeasures: [DeclaredMeasure] {
        bases == nil ? [] : generation.measures.measures
    }

    /// The declared measures for the trips of a filter; none where none is shown.
    func measures(_ filter: ServedFilter) -> [ServedMeasure] {
        // Most pipelines declare none.
        guard !declaredMeasures.isEmpty else { return [] }
        return served(generation.measures.values(filter))
    }

    /// The declared measures for the trips of a class and basis; none where none is shown.
    func measures(_ classAndBasis: ServedBases.ClassAndBasis) -> [ServedMeasure] {
        guard !declaredMeasures.isEmpty else { return [] }
        return served(generation.measures.values(filter, of: classAndBasis))
    }

    private func served(_ values: [MeasureValue]) -> [ServedMeasure] {
        zip(declaredMeasures, values).map { ServedMeasure(measure: $0, value: $1) }
    }

    /// The declared measures of the month that the answer's is compared with: those that its
    /// generation declares alike; none where none is shown.
    var comparedMeasures: [ServedMeasure] {
        guard !declaredMeasures.isEmpty, let comparison else { return [] }
        return MeasureChange.all(comparison.measures, generation.measures.states(filter))
            .filter { $0.comparison == .same }.compactMap(\.before)
            .map { ServedMeasure(measure: $0.measure, value: $0.value) }
    }
}

extension JSONText {
    /// What the declared measures of an answer are; nothing where none is shown.
    mutating func declarations(_ measures: [DeclaredMeasure]) {
        guard !measures.isEmpty else { return }
        array("measures") { json in
            for measure in measures {
                json.object { json in
                    json.value("name", measure.columnName)
                    json.value("label", measure.label)
                    json.value("kind", measure.kind.rawValue)
                    json.value("unit", measure.unit)
                    json.value("amount", measure.amount.rawValue)
                }
            }
        }
    }

    /// The member with the declared measures of a group; none where none is shown.
    mutating func add(_ measures: [ServedMeasure]) {
        guard !measures.isEmpty else { return }
        array("measures") { json in
            for measure in measures {
                json.object { json in
                    json.value("name", measure.measure.columnName)
                    json.numbers([
                        "value": measure.number,
                        "known_trips": .integer(measure.value.knownTrips),
                    ])
                }
            }
        }
    }
}

extension ServedFilter {
    /// The same filter for one of its months.
    func of(_ month: Month) -> ServedFilter {
        var own = self
        own.months = month...month
        return own
    }

    /// The same filter for one of its trip types.
    func of(tripType: String) -> ServedFilter {
        var own = self
        own.tripType = tripType
        return own
    }

    /// The same filter for one of its regions.
    func of(region: String) -> ServedFilter {
        var own = self
        own.region = region
        return own
    }
}
