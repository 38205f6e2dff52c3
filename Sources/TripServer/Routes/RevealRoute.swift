import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `POST /trip/{ref}/reveal`: one masked field of a trip, to a user who has just signed in and
/// gives a reason.
///
/// It is in the access record before it is in the answer, and is to be shown for ten seconds.
struct RevealRoute {
    let state: ServerState
    /// The access record; nil where no account signs in, and then nothing is revealed.
    let record: AccessRecord?
    /// How fast one account may reveal: a person reads some fields, a program all of them.
    let limiter: RateLimiter<Int64>

    /// Thirty in ten minutes.
    static func usualLimiter() -> RateLimiter<Int64> { RateLimiter(30, per: 600) }

    /// Seconds after a sign-in in which the user is taken to be still at the screen.
    static let authenticationAgeMax: Int64 = 300
    /// For how many seconds it is to be shown.
    static let lifetime = 10

    func answer(_ request: Request, _ ref: String, _ caller: Caller) async throws -> Response {
        _ = try QueryReading(request, known: [])
        let form = try await FormReading(request)
        try caller.require(.trips)
        guard let session = caller.session, let record else { throw Problem.forbidden }
        let now = state.now()
        guard (0...Self.authenticationAgeMax).contains(now - session.authenticatedAt) else {
            throw Problem.authenticateAgain
        }
        let known: Set = ["field", "reason"]
        guard known.isSuperset(of: form.fields.keys) else {
            throw Problem.unknownParameter(among: form.fields.keys, known: known)
        }
        guard let field = form["field"].flatMap(MaskedField.init) else {
            throw Problem.parameter("field", "The field is patient_id, provider_npi or cost.")
        }
        guard let reason = form["reason"].flatMap(AccessEntry.Reason.init) else {
            throw Problem.parameter("reason", "The reason is one of the fixed words.")
        }
        let found = try await TripLookup(state: state).trip(ref, caller)
        guard let wait = limiter.wait(session.account.id, at: now) else {
            return try await reveal(found, field, reason, session, record)
        }
        throw Problem.tooManyReveals(wait)
    }

    private func reveal(
        _ found: TripLookup.Found,
        _ field: MaskedField,
        _ reason: AccessEntry.Reason,
        _ session: Session,
        _ record: AccessRecord
    ) async throws -> Response {
        let ref = found.keys.ref(ofTrip: found.id).text
        let entry = AccessEntry(
            .revealed,
            at: state.now(),
            account: session.account.id,
            subject: ref,
            detail: field.rawValue,
            reason: reason
        )
        // It stays in its mask until it is on record, and what cannot be read was not revealed.
        let value = try await TripLookup(state: state).read(found.generation) {
            try field.value(of: found, in: $0)
        }
        try await record.add(entry)
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("generation", found.generation.header.number)
            json.value("ref", ref)
            json.value("field", field.rawValue)
            switch value {
            case .text(let masked): json.value("value", masked.revealed())
            case .cents(let masked): json.value("value", Int(masked.revealed()))
            case nil: json.null("value")
            }
            json.value("show_for_seconds", Self.lifetime)
        }
        return Answer.unkept(json.text)
    }
}

/// What is masked of a trip.
enum MaskedField: String, CaseIterable {
    case patientID = "patient_id"
    case providerNPI = "provider_npi"
    case cost

    /// A field's value, out of its mask only where it is written into the answer.
    enum Value: Sendable {
        case text(Masked<String>)
        case cents(Masked<Int64>)
    }

    /// The value of a trip; nil where it has none.
    func value(of found: TripLookup.Found, in trips: ServedMart) throws -> Value? {
        switch self {
        case .patientID:
            return try found.detail.patientRef.map {
                .text(try trips.openPatient(ref: $0, keys: found.keys))
            }
        case .providerNPI:
            guard case .text(let number)? = found.detail.providerNumber else { return nil }
            return .text(Masked(number))
        case .cost:
            return found.detail.summary.costCents.map { .cents(Masked($0)) }
        }
    }
}

extension TripDetail {
    /// The national number of the provider that drove; null or nothing where it is not known.
    var providerNumber: StoredValue? {
        values.first { $0.name == MaskedField.providerNPI.rawValue }?.value
    }
}
