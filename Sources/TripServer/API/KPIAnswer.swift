import TripDomain
import TripMart
import TripText

/// The answer of `/kpi`: the trips a filter lets through, by month, trip type and region.
struct KPIAnswer {
    let generation: ServedGeneration
    let cube: ServedCube
    /// The same by class and basis; nil where its reader may not see small numbers, and so no
    /// declared measures either.
    let bases: ServedBases?
    let filter: ServedFilter
    let isStale: Bool
    /// The earlier month beside a single one; nil where there is none.
    let comparison: MonthComparison?
    /// The total as the client saw it in an earlier generation; nil where there is none.
    let before: (generation: GenerationHeader, total: ServedCell)?

    /// What most answers take, so that their text is not moved while it grows.
    private static let usualByteCount = 16 << 10

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        let (total, series) = (cube.cell(filter), cube.byMonth(filter))
        let months = series.map(\.month)
        var json = JSONText(capacity: Self.usualByteCount)
        json.object(isLine: true) { json in
            json.origin(generation, months: cube.months(of: filter), isStale: isStale)
            json.filter(filter)
            json.object("total") { $0.sums(of: total, measures(filter)) }
            json.array("by_month") { json in
                for (month, cell) in series {
                    json.object { json in
                        json.value("month", month.text)
                        json.value("month_open", generation.isOpen(month))
                        json.sums(of: cell, measures(filter.of(month)))
                    }
                }
            }
            json.array("by_trip_type") { json in
                json.list("trip_type", cube.byTripType(filter)) {
                    measures(filter.of(tripType: $0))
                }
            }
            json.array("by_region") { json in
                json.list("region", cube.byRegion(filter)) { measures(filter.of(region: $0)) }
            }
            addBases(to: &json)
            json.text("settles_on", settlesOn(months)?.text)
            json.nextExpected(generation)
            json.goal(generation.goals.inForce(throughout: months), total)
            json.comparison(comparison, comparedMeasures)
            addChange(of: total, to: &json)
            json.declarations(declaredMeasures)
        }
        return json.text
    }

    /// The day on which the last open month of the answer settles; nil where none is open.
    private func settlesOn(_ months: [Month]) -> CivilDate? {
        months.last(where: generation.isOpen).map(generation.header.settleDate(of:))
    }

    /// By how much the total differs from what the client saw.
    private func addChange(of total: ServedCell, to json: inout JSONText) {
        guard let before else { return json.null("since") }
        json.object("since") { json in
            json.publication(before.generation)
            json.numbers(
                KPI.changing.map { kpi in
                    let (then, now) = (before.total.value(kpi), total.value(kpi))
                    let change = then.flatMap { then in now.map { $0 - then } }
                    return (key: kpi.key, value: kpi.number(change))
                }
            )
            let isHidden = KPI.changing.contains { before.total.hides($0) || total.hides($0) }
            json.value("suppressed", isHidden)
        }
    }

    private func addBases(to json: inout JSONText) {
        guard let bases else { return json.null("by_basis") }
        json.array("by_basis") { json in
            for (classAndBasis, sums) in bases.byBasis(filter) {
                json.object { json in
                    json.value("class", classAndBasis.tripClass.word)
                    json.value("basis", classAndBasis.basis)
                    json.numbers([
                        "trips": .integer(sums.trips),
                        "costed_trips": .integer(sums.costedTrips),
                        "cost_cents": .integer(sums.costCents),
                    ])
                    json.add(measures(classAndBasis))
                }
            }
        }
    }
}

extension JSONText {
    /// The members that say what some trips add up to.
    fileprivate mutating func sums(of cell: ServedCell, _ measures: [ServedMeasure]) {
        numbers(KPI.served.map { (key: $0.key, value: $0.number(cell.value($0))) })
        value("suppressed", cell.isSuppressed)
        add(measures)
    }

    fileprivate mutating func list(
        _ name: JSONName,
        _ entries: [(label: DimensionLabel, cell: ServedCell)],
        _ measures: (String) -> [ServedMeasure]
    ) {
        for (label, cell) in entries {
            object { json in
                json.value(name, label.value)
                json.value("label", label.label)
                json.sums(of: cell, measures(label.value))
            }
        }
    }

    /// How a total stands to the goal in force in all its months.
    fileprivate mutating func goal(_ goal: Goal?, _ total: ServedCell) {
        guard let goal else { return null("goal") }
        let verdict = goal.verdict(
            low: total.value(KPIRatio.inHousePercentLow.kpi),
            high: total.value(KPIRatio.inHousePercentHigh.kpi)
        )
        object("goal") { json in
            json.value("in_house_pct", hundredths: Int(goal.inHousePercentHundredths))
            json.value("since", goal.from.text)
            json.value("verdict", verdict.rawValue)
        }
    }

    /// The earlier month beside a single one.
    fileprivate mutating func comparison(
        _ comparison: MonthComparison?,
        _ measures: [ServedMeasure]
    ) {
        guard let comparison else { return null("comparison") }
        object("comparison") { json in
            json.value("month", comparison.month.text)
            json.value("kind", comparison.kind.rawValue)
            json.value("age_days", comparison.ageDays)
            json.publication(comparison.generation)
            let cell = comparison.cell
            json.numbers(KPI.compared.map { (key: $0.key, value: $0.number(cell.value($0))) })
            json.value("suppressed", KPI.compared.contains(where: cell.hides))
            json.add(measures)
        }
    }
}

extension KPI {
    /// The KPIs of an answer, in its order.
    static let served = table.filter(\.isServed)

    /// Those that two months are compared by.
    static let compared = [
        KPISum.trips.kpi, KPISum.contractedTrips.kpi, KPISum.undeterminedTrips.kpi,
        KPIRatio.inHousePercent.kpi, KPIRatio.inHousePercentLow.kpi,
        KPIRatio.inHousePercentHigh.kpi, KPISum.costCents.kpi, KPISum.contractedCostCents.kpi,
    ]

    /// Those of the months of a region or a trip type.
    static let followed = [
        KPISum.trips.kpi, KPIRatio.inHousePercent.kpi, KPIRatio.inHousePercentLow.kpi,
        KPIRatio.inHousePercentHigh.kpi, KPISum.costCents.kpi, KPISum.contractedCostCents.kpi,
        KPIRatio.costPerTrip.kpi,
    ]

    /// Those of which a client is told the change.
    static let changing = [
        KPISum.trips.kpi, KPIRatio.inHousePercent.kpi, KPISum.costCents.kpi,
        KPISum.contractedCostCents.kpi,
    ]

    /// A value in JSON.
    func number(_ value: Int64?) -> JSONNumber {
        switch unit {
        case .trips, .cents, .hundredthsOfMile: .integer(value)
        case .hundredthsOfPercent: .hundredths(value)
        }
    }
}
