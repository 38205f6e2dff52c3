import TripDomain
import TripMart

/// The answer of `/trips`: one page of a list, without anything that tells who was driven.
struct TripsAnswer {
    let generation: ServedGeneration
    let filter: ServedFilter
    let isStale: Bool
    let page: TripPage
    /// What to ask for the next page with; nil on the last one.
    let next: String?
    let keys: MartKeys

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.origin(
                generation,
                months: generation.whole.months(of: filter),
                isStale: isStale
            )
            json.filter(filter)
            json.count("total", generation.whole.cell(filter).trips)
            json.array("trips") { json in
                for trip in page.trips {
                    json.object { json in
                        json.value("ref", keys.ref(ofTrip: trip.tripID).text)
                        // The day alone: a minute and a place tell a person.
                        json.value("date", String(trip.pickupAt.prefix(10)))
                        json.value("month", trip.month)
                        json.value("trip_type", trip.tripType)
                        json.value("region", trip.region)
                        json.value("class", trip.tripClass.word)
                        json.value("basis", trip.basis)
                        json.text("provider", trip.providerName)
                        json.count("loaded_miles_hundredths", trip.milesHundredths)
                    }
                }
            }
            json.text("next", next)
        }
        return json.text
    }
}
