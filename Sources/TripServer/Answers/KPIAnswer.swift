import TripDomain
import TripMart

/// The answer of `/kpi`: the trips a filter lets through, by month, trip type and region.
struct KPIAnswer {
    let generation: ServedGeneration
    let cube: ServedCube
    let filter: ServedFilter
    let isStale: Bool

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            write(generation.header, to: &json)
            json.object("filter") { json in
                json.text("from", filter.months?.lowerBound.text)
                json.text("to", filter.months?.upperBound.text)
                json.text("trip_type", filter.tripType)
                json.text("region", filter.region)
            }
            json.object("total") { $0.sums(of: cube.cell(filter)) }
            json.array("series") { json in
                for (month, cell) in cube.byMonth(filter) {
                    json.object { json in
                        json.value("month", month.text)
                        json.value("month_open", generation.isOpen(month))
                        json.sums(of: cell)
                    }
                }
            }
            json.array("by_trip_type") { $0.list("trip_type", cube.byTripType(filter)) }
            json.array("by_region") { $0.list("region", cube.byRegion(filter)) }
        }
        return json.text
    }

    /// `2026-11-20 02:14:07 -05:00` as RFC 3339 has it.
    private static func dateTime(_ published: String) -> String {
        let parts = published.split(separator: " ")
        return parts.prefix(2).joined(separator: "T") + parts.dropFirst(2).joined()
    }

    private func write(_ header: GenerationHeader, to json: inout JSONText) {
        json.value("generation", header.number)
        json.value("as_of", Self.dateTime(header.publishedAt))
        json.text("data_through", header.dataThrough?.text)
        json.value("stale", isStale)
        json.value("synthetic", header.isSynthetic)
        json.array("open_months") { json in
            for month in generation.months where month.isOpen { json.value(nil, month.month.text) }
        }
    }
}

extension JSONText {
    /// A text, or null where there is none.
    mutating func text(_ name: String, _ value: String?) {
        if let value { self.value(name, value) } else { number(name, "null") }
    }

    /// A whole number, or null where it is not known or hidden.
    mutating func count(_ name: String, _ value: Int64?) {
        number(name, value.map { String($0) } ?? "null")
    }

    /// A percentage with two decimals, from hundredths.
    mutating func percent(_ name: String, _ hundredths: Int64?) {
        guard let hundredths else { return number(name, "null") }
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        number(name, "\(whole).\(part / 10)\(part % 10)")
    }

    /// The members that say what some trips add up to.
    fileprivate mutating func sums(of cell: ServedCell) {
        count("trips", cell.trips)
        count("in_house_trips", cell.inHouseTrips)
        count("contracted_trips", cell.contractedTrips)
        count("undetermined_trips", cell.undeterminedTrips)
        percent("in_house_pct", cell.inHousePercentHundredths)
        percent("in_house_pct_low", cell.inHousePercentLowHundredths)
        percent("in_house_pct_high", cell.inHousePercentHighHundredths)
        count("cost_cents", cell.costCents)
        count("in_house_cost_cents", cell.inHouseCostCents)
        count("contracted_cost_cents", cell.contractedCostCents)
        count("undetermined_cost_cents", cell.undeterminedCostCents)
        count("cost_per_trip_cents", cell.costPerTripCents)
        count("cost_per_mile_cents", cell.costPerMileCents)
        count("loaded_miles_hundredths", cell.loadedMilesHundredths)
        value("suppressed", cell.isSuppressed)
    }

    fileprivate mutating func list(
        _ name: String,
        _ entries: [(label: DimensionLabel, cell: ServedCell)]
    ) {
        for (label, cell) in entries {
            object { json in
                json.value(name, label.value)
                json.value("label", label.label)
                json.sums(of: cell)
            }
        }
    }
}
