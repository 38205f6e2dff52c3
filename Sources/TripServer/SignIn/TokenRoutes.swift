import HTTPTypes
import Hummingbird
import Logging
import TripDomain
import TripIdentity

/// `POST /token` and `/revoke`: tokens for a code or for the token before, and the end of them.
struct TokenRoutes {
    let authority: Authority
    let clients: [OAuthClient]
    let logger: Logger

    /// Tokens, or an OAuth error.
    func token(_ request: Request) async throws -> Response {
        try await answering(request) { form, place in
            do {
                return response(try await grant(form, place), place)
            } catch OAuthFault.invalidGrant
                where place.token != nil
                && form["grant_type"] == "refresh_token"
            {
                // What is good for nothing is not sent again.
                var response = OAuthFault.invalidGrant.response
                RefreshCookie.remove(in: &response)
                return response
            }
        }
    }

    /// The end of a session; a token that is none ends nothing, and nobody is told.
    func revoke(_ request: Request) async throws -> Response {
        try await answering(request) { form, place in
            guard let token = form["token"] ?? place.token else { throw OAuthFault.invalidRequest }
            try await authority.revoke(token, clientID: try client(form))
            var response = Response(
                status: .ok,
                headers: [
                    .cacheControl: "no-store", .contentLength: "0",
                    // What a browser kept of this server's answers goes with the session.
                    .clearSiteData: "\"cache\"",
                ]
            )
            if place.isCookie { RefreshCookie.remove(in: &response) }
            return response
        }
    }

    private func answering(
        _ request: Request,
        _ answer: (FormReading, RefreshPlace) async throws -> Response
    ) async throws -> Response {
        do {
            let form = try await form(request)
            return try await answer(form, RefreshPlace(form, request, issuer: authority.issuer))
        } catch let fault as OAuthFault {
            return fault.response
        }
    }

    /// Where the refresh token of a client is: in the form, or where it asks for that in a cookie of the server's.
    private struct RefreshPlace {
        let isCookie: Bool
        /// The token, where it is in a cookie.
        let token: String?

        init(_ form: FormReading, _ request: Request, issuer: String) throws {
            isCookie = form["refresh_token_in"] == "cookie"
            guard isCookie else {
                token = nil
                return
            }
            // A browser sends it by itself: for whom, is looked at.
            try OwnForm.require(request, issuer: issuer)
            token = RefreshCookie.token(of: request)
        }
    }

    private func form(_ request: Request) async throws -> FormReading {
        let form: FormReading
        do {
            form = try await FormReading(request)
        } catch let problem as Problem where problem.status == .badRequest {
            throw OAuthFault.invalidRequest
        }
        // Clients have no secret; one that shows some means another server.
        guard request.headers[.authorization] == nil else { throw OAuthFault.invalidClient }
        return form
    }

    private func client(_ form: FormReading) throws(OAuthFault) -> String {
        guard let id = form["client_id"] else { throw .invalidRequest }
        // Clients of another issuer are known to it alone; a token names the one it was made for.
        guard authority.isForeign || clients.contains(where: { $0.id == id }) else {
            throw .invalidClient
        }
        return id
    }

    private func grant(
        _ form: FormReading,
        _ place: RefreshPlace
    ) async throws -> Authority.Grant {
        let granting =
            switch form["grant_type"] {
            case "authorization_code": try await redeemed(form)
            case "refresh_token": try await refreshed(form, place)
            case nil: throw OAuthFault.invalidRequest
            // The password of a person is nobody's but the sign-in page's (RFC 9700 §2.4).
            default: throw OAuthFault.unsupportedGrantType
            }
        switch granting {
        case .granted(let grant):
            return grant
        case .reused(let session):
            logger.warning(
                "a replaced token came again: the session is ended",
                metadata: ["account": "\(session.account.id)"]
            )
            throw OAuthFault.invalidGrant
        case .refused:
            throw OAuthFault.invalidGrant
        }
    }

    private func redeemed(_ form: FormReading) async throws -> Authority.Granting {
        let client = try client(form)
        guard let code = form["code"], let address = form["redirect_uri"],
            let verifier = form["code_verifier"]
        else { throw OAuthFault.invalidRequest }
        return try await authority.redeem(
            CodeRedemption(
                code: code,
                clientID: client,
                redirectURI: address,
                verifier: verifier
            )
        )
    }

    private func refreshed(
        _ form: FormReading,
        _ place: RefreshPlace
    ) async throws -> Authority.Granting {
        let client = try client(form)
        let token = place.isCookie ? place.token : form["refresh_token"]
        guard let token else { throw OAuthFault.invalidRequest }
        return try await authority.refresh(token, clientID: client)
    }

    private func response(_ grant: Authority.Grant, _ place: RefreshPlace) -> Response {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("access_token", grant.accessToken)
            json.value("token_type", "Bearer")
            json.value("expires_in", Int(grant.lifetime))
            if !place.isCookie { json.value("refresh_token", grant.refreshToken) }
        }
        var response = Answer.unkept(json.text)
        if place.isCookie {
            let seconds = authority.limits.session
            RefreshCookie.put(grant.refreshToken, for: seconds, into: &response)
        }
        return response
    }
}

extension HTTPField.Name {
    /// What a browser is to forget of this server.
    fileprivate static let clearSiteData: HTTPField.Name = {
        guard let name = HTTPField.Name("Clear-Site-Data") else {
            preconditionFailure("letters and hyphens make a name")
        }
        return name
    }()
}
