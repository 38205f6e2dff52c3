import TripDomain
import TripMart
import TripText

/// The answer of `/trips`: one page of a list, without anything that identifies a patient.
struct TripsAnswer {
    let generation: ServedGeneration
    let filter: ServedFilter
    /// The class of its trips; nil where they are of any.
    let tripClass: TripClass?
    let isStale: Bool
    let page: TripPage
    /// What to ask for the next page with; nil on the last one.
    let next: String?
    let keys: MartKeys

    /// The trips of the page as CSV.
    var csv: [UInt8] { table.csv(of: generation) }

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
            json.count("total", total)
            json.list("trips", table)
            json.text("next", next)
        }
        return json.text
    }

    /// The number of trips that the filter lets through.
    private var total: Int64? {
        let cell = generation.whole.cell(filter)
        return switch tripClass {
        case nil: cell.trips
        case .inHouse: cell[.inHouseTrips]
        case .contracted: cell[.contractedTrips]
        case .undetermined: cell[.undeterminedTrips]
        }
    }

    private var table: AnswerTable {
        AnswerTable(
            names: [
                "ref", "pickup_date", "month", "trip_type", "region", "class", "basis", "provider",
                "loaded_miles_hundredths",
            ],
            rows: page.trips.map { trip in
                [
                    .text(keys.ref(ofTrip: trip.tripID).text),
                    // The day alone: a minute and an address identify a person.
                    .text(String(trip.pickupAt.prefix(10))), .text(trip.month),
                    .text(trip.tripType), .text(trip.region), .text(trip.tripClass.word),
                    .text(trip.basis), .text(trip.providerName),
                    .number(.integer(trip.milesHundredths)),
                ]
            }
        )
    }
}

/// The answer of `/trip/{ref}`: everything known of a trip, with patient, provider number and cost
/// masked.
struct TripAnswer {
    /// What stands where something is masked.
    static let mask = "••••••••"

    let generation: ServedGeneration
    /// The months its reader may know of.
    let months: [Month]
    let isStale: Bool
    let ref: String
    let detail: TripDetail

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        let summary = detail.summary
        var json = JSONText()
        json.object(isLine: true) { json in
            json.origin(generation, months: months, isStale: isStale)
            json.value("ref", ref)
            json.value("picked_up_at", pickedUpAt)
            json.value("month", summary.month)
            json.value("trip_type", summary.tripType)
            json.value("region", summary.region)
            json.value("class", summary.tripClass.word)
            json.value("basis", summary.basis)
            json.value("counted", summary.isCounted)
            json.text("provider", summary.providerName)
            json.count("loaded_miles_hundredths", summary.milesHundredths)
            rule(&json)
            json.object("masked") { json in
                json.text("patient_id", detail.patientRef == nil ? nil : Self.mask)
                json.text("provider_npi", hasProviderNumber ? Self.mask : nil)
                json.text("cost", summary.costCents == nil ? nil : Self.mask)
            }
            json.value("other_versions", detail.versions.count)
        }
        return json.text
    }

    /// The pick-up on the facility's clock, with what that is ahead of UTC (RFC 3339).
    private var pickedUpAt: String {
        let offset = detail.pickupOffsetSeconds
        let minutes = offset.magnitude / 60
        let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return detail.summary.pickupAt.split(separator: " ").joined(separator: "T")
            + (offset < 0 ? "-" : "+") + clock.joined(separator: ":")
    }

    private func rule(_ json: inout JSONText) {
        guard let rule = detail.rule else { return json.null("rule") }
        json.object("rule") { json in
            json.value("id", rule.id)
            json.value("because", rule.because)
        }
    }

    private var hasProviderNumber: Bool { detail.providerNumber.map { $0 != .null } ?? false }
}
