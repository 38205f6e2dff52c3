import HTTPTypes
import Hummingbird
import Logging
import TripDomain
import TripIdentity
import TripText

/// `POST /token` and `/revoke`: tokens for a code or for the token before, and the end of them.
struct TokenRoutes {
    let authentication: AuthenticationService
    let clients: [OAuthClient]
    let logger: Logger

    /// Tokens, or an OAuth error.
    func token(_ request: Request) async throws -> Response {
        try await answering(request) { form, cookie in
            do {
                return response(try await grant(form, cookie), cookie)
            } catch OAuthFault.invalidGrant
                where cookie.token != nil
                && form["grant_type"] == "refresh_token"
            {
                // An invalid token is not to be sent again.
                var response = OAuthFault.invalidGrant.response
                RefreshCookie.remove(in: &response)
                return response
            }
        }
    }

    /// The end of a session; an invalid token ends nothing, and the answer does not show it.
    func revoke(_ request: Request) async throws -> Response {
        try await answering(request) { form, cookie in
            guard let token = form["token"] ?? cookie.token else { throw OAuthFault.invalidRequest }
            try await authentication.revoke(token, clientID: try client(form))
            var response = Response(
                status: .ok,
                headers: [
                    .cacheControl: "no-store", .contentLength: "0",
                    // What a browser kept of this server's answers goes with the session.
                    .clearSiteData: "\"cache\"",
                ]
            )
            if cookie.isUsed { RefreshCookie.remove(in: &response) }
            return response
        }
    }

    private func answering(
        _ request: Request,
        _ answer: (FormReading, RefreshTransport) async throws -> Response
    ) async throws -> Response {
        do {
            let form = try await form(request)
            return try await answer(
                form,
                RefreshTransport(form, request, issuer: authentication.issuer)
            )
        } catch let fault as OAuthFault {
            return fault.response
        }
    }

    /// The cookie with the refresh token, for clients that ask for one; others send the token in
    /// the form.
    private struct RefreshTransport {
        let isUsed: Bool
        /// The token, where it is in a cookie.
        let token: String?

        init(_ form: FormReading, _ request: Request, issuer: String) throws {
            isUsed = form["refresh_token_in"] == "cookie"
            guard isUsed else {
                token = nil
                return
            }
            // A browser sends the cookie by itself, so its page of origin is checked.
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
        guard authentication.hasExternalIssuer || clients.contains(where: { $0.id == id }) else {
            throw .invalidClient
        }
        return id
    }

    private func grant(
        _ form: FormReading,
        _ cookie: RefreshTransport
    ) async throws -> AuthenticationService.Grant {
        let granting =
            switch form["grant_type"] {
            case "authorization_code": try await redeemed(form)
            case "refresh_token": try await refreshed(form, cookie)
            case nil: throw OAuthFault.invalidRequest
            // Passwords are typed into the sign-in page alone (RFC 9700 §2.4).
            default: throw OAuthFault.unsupportedGrantType
            }
        switch granting {
        case .granted(let grant):
            return grant
        case .reused(let session):
            logger.warning(
                "a replaced refresh token was sent again: the session is ended",
                metadata: ["account": "\(session.account.id)"]
            )
            throw OAuthFault.invalidGrant
        case .refused:
            throw OAuthFault.invalidGrant
        }
    }

    private func redeemed(_ form: FormReading) async throws -> AuthenticationService.GrantOutcome {
        let client = try client(form)
        guard let code = form["code"], let address = form["redirect_uri"],
            let verifier = form["code_verifier"]
        else { throw OAuthFault.invalidRequest }
        return try await authentication.redeem(
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
        _ cookie: RefreshTransport
    ) async throws -> AuthenticationService.GrantOutcome {
        let client = try client(form)
        let token = cookie.isUsed ? cookie.token : form["refresh_token"]
        guard let token else { throw OAuthFault.invalidRequest }
        return try await authentication.refresh(token, clientID: client)
    }

    private func response(
        _ grant: AuthenticationService.Grant,
        _ cookie: RefreshTransport
    ) -> Response {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("access_token", grant.accessToken)
            json.value("token_type", "Bearer")
            json.value("expires_in", Int(grant.lifetime))
            if !cookie.isUsed { json.value("refresh_token", grant.refreshToken) }
        }
        var response = Answer.unkept(json.text)
        if cookie.isUsed {
            let seconds = authentication.limits.session
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

/// Why a client gets no token, as OAuth says it (RFC 6749 §5.2): a word, and no reason.
enum OAuthFault: String, Error {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unsupportedGrantType = "unsupported_grant_type"

    /// The document.
    var response: Response {
        var json = JSONText()
        json.object(isLine: true) { $0.value("error", rawValue) }
        return Response(
            status: .badRequest,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.text))
        )
    }
}

/// The refresh token of a page, in a cookie that no script reads and that no other site can have
/// sent along.
///
/// `__Host-`: of this very host, over TLS alone, which browsers take this machine's own addresses
/// for (RFC 6265bis).
enum RefreshCookie {
    static let name = "__Host-triptych-refresh"

    /// The token that came along; nil where none did.
    static func token(of request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// Has a browser keep a token.
    ///
    /// - Parameters:
    ///   - token: The token; letters, digits, `-` and `_`.
    ///   - seconds: For how long it is kept at most.
    ///   - response: The answer that brings it.
    static func put(_ token: String, for seconds: Int64, into response: inout Response) {
        response.headers[.setCookie] =
            "\(name)=\(token); Path=/; Max-Age=\(seconds); Secure; HttpOnly; SameSite=Strict"
    }

    /// Has a browser forget it.
    static func remove(in response: inout Response) { put("", for: 0, into: &response) }
}
