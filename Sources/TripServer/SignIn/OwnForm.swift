import HTTPTypes
import Hummingbird
import TripIdentity

/// Forms of the server's own pages: those that another site made a browser send are not taken.
enum OwnForm {
    /// Reads one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - issuer: The server's address, as users see it.
    /// - Returns: Its fields.
    /// - Throws: ``Problem/crossSiteForm`` where another site sent it, or what ``FormReading``
    ///   throws.
    static func read(_ request: Request, issuer: String) async throws -> FormReading {
        let form = try await FormReading(request)
        try require(request, issuer: issuer)
        return form
    }

    /// Refuses what another site made a browser send.
    static func require(_ request: Request, issuer: String) throws(Problem) {
        let site = request.headers[.secFetchSite]
        guard site == nil || site == "same-origin" else { throw .crossSiteForm }
        // Where a browser says only which site, it is ours; a page that sends no referrer is called
        // null.
        let origin = request.headers[.origin]
        guard origin == nil || origin == "null" || origin == WebOrigin(of: issuer)?.text else {
            throw .crossSiteForm
        }
    }
}

extension HTTPField.Name {
    /// Where a browser says that a request comes from.
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}

extension AuthenticationService {
    /// Signs in with the passkey of a form, or else with its name and password.
    func signIn(_ form: FormReading) async throws -> SignIn {
        guard let passkey = form["passkey"] else {
            // A challenge without a passkey: nothing was signed.
            if form["challenge"] != nil { return .refused }
            return try await signIn(form["username"] ?? "", form["password"] ?? "")
        }
        let signing = PasskeyAssertion(
            id: passkey,
            clientData: form["client_data"] ?? "",
            data: form["authenticator_data"] ?? "",
            signature: form["signature"] ?? "",
            userHandle: form["user_handle"]
        )
        guard let signing else { return .refused }
        return try await signIn(signing)
    }

    /// The relying party and the challenge of the next page; nil where browsers make no passkeys
    /// for this server, or three in a row failed.
    func passkeyAsked(after form: FormReading) -> (party: String, challenge: String)? {
        let challenge =
            form["challenge"].map { passkeyChallenge(afterFailing: $0) } ?? passkeyChallenge()
        return relyingParty.flatMap { party in challenge.map { (party, $0) } }
    }
}
