import TripDomain
import TripMart

/// The answer of `/trip/{ref}`: everything known of a trip, with patient, provider number and cost masked.
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
            json.value("picked_up_at", summary.pickupAt)
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

    private func rule(_ json: inout JSONText) {
        guard let rule = detail.rule else { return json.null("rule") }
        json.object("rule") { json in
            json.value("id", rule.id)
            json.value("because", rule.because)
        }
    }

    private var hasProviderNumber: Bool { detail.providerNumber.map { $0 != .null } ?? false }
}
