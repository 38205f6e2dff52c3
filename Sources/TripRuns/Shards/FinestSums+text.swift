import TripDomain
import TripEngine
import TripText

extension FinestSums {
    /// Writes the members of an object.
    func write(_ json: inout JSONText, hasCells: Bool) {
        json.amount("amount", amount)
        json.texts("regions", regions)
        json.texts("trip_types", tripTypes)
        json.optional("last_pickup", lastPickup)
        json.value("absolute_amounts", Int(absoluteAmounts))
        json.value("has_overflowed", hasOverflowed)
        json.array("absolute_measures", isLine: true) { json in
            for sum in absoluteMeasures { json.value(nil, Int(sum)) }
        }
        json.array("months") { json in
            for month in months {
                json.object { json in
                    json.value("month", month.month.text)
                    json.value("trips", Int(month.trips))
                }
            }
        }
        json.array("statuses") { json in
            for status in statuses {
                json.object { json in
                    json.value("status", status.status)
                    json.value("counted", status.isCounted)
                    json.value("trips", Int(status.trips))
                }
            }
        }
        json.value("uncounted_cents", Int(uncountedCents))
        json.texts("overflowing", overflowing)
        json.texts("overgrowing", overgrowing)
        guard hasCells else { return }
        json.array("cells") { json in
            for cell in cells { cell.write(&json) }
        }
    }

    /// Reads the members of an object.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - hasCells: Whether the cells stand in it; else they are none yet.
    /// - Throws: ``JSONFault`` where a member is missing or another.
    init(_ json: JSONObject, hasCells: Bool) throws(JSONFault) {
        self.init()
        amount = try json.amount("amount")
        regions = try json.cellTexts("regions")
        tripTypes = try json.cellTexts("trip_types")
        lastPickup = try json.optionalInteger("last_pickup")
        absoluteAmounts = try json.integer("absolute_amounts")
        guard absoluteAmounts >= 0 else {
            throw json.fault("absolute_amounts", "is negative, expected 0 or more")
        }
        hasOverflowed = try json.truth("has_overflowed")
        absoluteMeasures = try json.integers("absolute_measures")
        guard absoluteMeasures.allSatisfy({ $0 >= 0 }) else {
            throw json.fault("absolute_measures", "holds a negative number")
        }
        months = try json.objects("months") { month throws(JSONFault) in
            guard let found = Month(text: try month.text("month")) else {
                throw month.fault("month", "is no month, expected YYYY-MM")
            }
            return TripLocation.MonthTrips(month: found, trips: try month.quantity("trips"))
        }
        statuses = try json.objects("statuses") { status throws(JSONFault) in
            TripLocation.StatusTrips(
                status: try status.cellText("status"),
                isCounted: try status.truth("counted"),
                trips: try status.quantity("trips")
            )
        }
        uncountedCents = try json.sum("uncounted_cents")
        overflowing = try json.texts("overflowing")
        overgrowing = try json.texts("overgrowing")
        guard hasCells else { return }
        cells = try json.objects("cells") { cell throws(JSONFault) in try FinestCell(cell) }
    }
}

extension FinestCell {
    /// The cell as a line of JSON.
    var text: [UInt8] {
        var json = JSONText()
        write(&json)
        return json.text
    }

    /// Writes it as an object on one line.
    func write(_ json: inout JSONText) { json.object(isLine: true) { writeMembers(&$0) } }

    /// Writes its members.
    func writeMembers(_ json: inout JSONText) {
        json.value("month", group.month)
        json.value("trip_type", group.tripType)
        json.value("region", group.region)
        json.value("class", group.tripClass.word)
        json.value("basis", group.basis)
        json.value("trips", Int(sums.costs.trips))
        json.value("costed_trips", Int(sums.costs.costedTrips))
        json.value("cost_cents", Int(sums.costs.costCents))
        json.value("miles_known_trips", Int(sums.milesKnownTrips))
        json.value("miles_hundredths", Int(sums.milesHundredths))
        json.value("costed_miles_trips", Int(sums.costedMilesTrips))
        json.value("cost_with_miles_cents", Int(sums.costWithMilesCents))
        json.value("costed_miles_hundredths", Int(sums.costedMilesHundredths))
        json.array("measures") { json in
            for measure in measures {
                json.object { json in
                    json.value("name", measure.name)
                    json.value("known_trips", Int(measure.sums.knownTrips))
                    json.value("sum", Int(measure.sums.sum))
                    json.array("values") { json in
                        for count in measure.values {
                            json.value(nil, Int(count.value))
                            json.value(nil, Int(count.trips))
                        }
                    }
                }
            }
        }
        json.array("dimensions") { json in
            for dimension in dimensions {
                json.object { json in
                    json.value("name", dimension.name)
                    json.value("value", dimension.value)
                    json.value("trips", Int(dimension.sums.trips))
                    json.value("costed_trips", Int(dimension.sums.costedTrips))
                    json.value("cost_cents", Int(dimension.sums.costCents))
                }
            }
        }
    }

    /// Reads a line of `part-NNNNN.cells.jsonl`.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none.
    init(_ text: [UInt8]) throws(JSONFault) { try self.init(JSONObject(text)) }

    init(_ json: JSONObject) throws(JSONFault) {
        let word = try json.text("class")
        guard let tripClass = TripClass.allCases.first(where: { $0.word == word }) else {
            throw json.fault("class", "is an unknown class")
        }
        func costs(_ json: JSONObject) throws(JSONFault) -> CostSums {
            CostSums(
                trips: try json.quantity("trips"),
                costedTrips: try json.quantity("costed_trips"),
                costCents: try json.sum("cost_cents")
            )
        }
        var sums = TripSums(try costs(json))
        sums.milesKnownTrips = try json.quantity("miles_known_trips")
        sums.milesHundredths = try json.sum("miles_hundredths")
        sums.costedMilesTrips = try json.quantity("costed_miles_trips")
        sums.costWithMilesCents = try json.sum("cost_with_miles_cents")
        sums.costedMilesHundredths = try json.sum("costed_miles_hundredths")
        self.init(
            group: DeclaredGroup(
                month: try json.text("month"),
                tripType: try json.cellText("trip_type"),
                region: try json.cellText("region"),
                tripClass: tripClass,
                basis: try json.cellText("basis")
            ),
            sums: sums,
            measures: try json.objects("measures") { measure throws(JSONFault) in
                Measure(
                    name: try measure.text("name"),
                    sums: MeasureSums(
                        knownTrips: try measure.quantity("known_trips"),
                        sum: try measure.sum("sum")
                    ),
                    values: try measure.valueCounts("values")
                )
            },
            dimensions: try json.objects("dimensions") { dimension throws(JSONFault) in
                Dimension(
                    name: try dimension.text("name"),
                    value: try dimension.cellText("value"),
                    sums: try costs(dimension)
                )
            }
        )
    }
}

extension JSONObject {
    /// An array of whole numbers.
    fileprivate func integers(_ name: String) throws(JSONFault) -> [Int64] {
        var integers: [Int64] = []
        for value in try list(name) {
            guard case .integer(let integer) = value else {
                throw fault(name, "holds something else than numbers")
            }
            integers.append(integer)
        }
        return integers
    }

    /// Values and how often they occur, one after the other.
    fileprivate func valueCounts(_ name: String) throws(JSONFault) -> [ValueCount] {
        let integers = try integers(name)
        guard integers.count.isMultiple(of: 2) else {
            throw fault(name, "holds a value without its number of trips")
        }
        guard
            stride(from: 1, to: integers.count, by: 2).allSatisfy({ index in
                (1...Int64.max / 1_000).contains(integers[index])
            })
        else { throw fault(name, "holds a number of trips that is none") }
        return stride(from: 0, to: integers.count, by: 2).map {
            ValueCount(value: integers[$0], trips: integers[$0 + 1])
        }
    }
}
