import HTTPTypes
import Hummingbird
import Logging
import TripIdentity

/// `GET` and `POST /authorize`: the sign-in page, and where it sends the browser (RFC 6749 §4.1).
struct AuthorizeRoute {
    let authentication: AuthenticationService
    let clients: [OAuthClient]
    let canForget: Bool
    let logger: Logger
    /// Whether its accounts are those of a demo, which the page names.
    let isDemo: Bool

    /// The parameters of a client's request; the page carries them along.
    static let fieldNames = [
        "response_type", "client_id", "redirect_uri", "state", "code_challenge",
        "code_challenge_method",
    ]

    /// The page.
    func page(_ request: Request) throws -> Response {
        let form = try FormReading(query: request)
        let back = try wayBack(form)
        guard authorizationRequest(form) != nil else { return refusal(form, back) }
        return signInPage(form).response(.ok, back.origin)
    }

    /// The sign-in form.
    func signIn(_ request: Request) async throws -> Response {
        let form = try await OwnForm.read(request, issuer: authentication.issuer)
        let back = try wayBack(form)
        guard let asked = authorizationRequest(form) else { return refusal(form, back) }
        let page = signInPage(form)
        switch try await authentication.signIn(form) {
        case .accepted(let signedIn):
            guard signedIn.isByPasskey || !authentication.requiresPasskey else {
                return page.refusing(.passkeyFirst, back.origin)
            }
            guard let code = try await authentication.code(asked, for: signedIn) else {
                return page.refusing(page.refusal, back.origin)
            }
            logger.info("signed in", metadata: ["account": "\(signedIn.account.id)"])
            return redirect(form, back, ["code": code])
        case .refused:
            logger.notice("sign-in refused")
            return page.refusing(page.refusal, back.origin)
        case .closed(let seconds):
            logger.signInClosed(for: seconds)
            return page.refusing(.closed, back.origin, seconds: seconds)
        case .busy: return page.refusing(.busy, back.origin)
        }
    }

    private func signInPage(_ form: FormReading) -> SignInPage {
        let ways = SignInPage.WaysIn(
            passkey: authentication.passkeyAsked(after: form),
            canForget: canForget,
            leadsToAccount: true
        )
        return SignInPage(form: form, action: "authorize", ways: ways, isDemo: isDemo)
    }

    /// Where the browser is sent back to.
    private struct WayBack {
        let address: String
        let origin: String
    }

    /// Where the browser is sent back to: exactly one of the client's addresses, or an error.
    private func wayBack(_ form: FormReading) throws(Problem) -> WayBack {
        guard let client = clients.first(where: { $0.id == form["client_id"] }),
            let address = form["redirect_uri"], client.redirectURIs.contains(address),
            let origin = WebOrigin(of: address)?.text
        else { throw .unknownClient }
        return WayBack(address: address, origin: origin)
    }

    private func authorizationRequest(_ form: FormReading) -> AuthorizationRequest? {
        guard form["response_type"] == "code", form["code_challenge_method"] == "S256",
            let client = form["client_id"], let address = form["redirect_uri"],
            // As RFC 6749, appendix A.5, has it.
            form["state"].map({ $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } }) ?? true
        else { return nil }
        return AuthorizationRequest(
            clientID: client,
            redirectURI: address,
            challenge: form["code_challenge"] ?? ""
        )
    }

    private func refusal(_ form: FormReading, _ back: WayBack) -> Response {
        let isOtherType = form["response_type"].map { $0 != "code" } ?? false
        let error = isOtherType ? "unsupported_response_type" : "invalid_request"
        return redirect(form, back, ["error": error])
    }

    /// The redirect with its result; `iss` tells a client of several servers which one answers (RFC
    /// 9207).
    private func redirect(
        _ form: FormReading,
        _ back: WayBack,
        _ outcome: KeyValuePairs<String, String>
    ) -> Response {
        var pairs = outcome.map { ($0, $1) }
        if let state = form["state"] { pairs.append(("state", state)) }
        pairs.append(("iss", authentication.issuer))
        let query = pairs.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
        let mark = back.address.contains("?") ? "&" : "?"
        return Response(
            status: .seeOther,
            headers: [.location: back.address + mark + query, .cacheControl: "no-store"]
        )
    }

    /// A value with everything escaped that is not a letter, a digit or one of four marks.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Logger {
    /// Logs a try with a name that is closed, and whether it opens by itself; never which name.
    ///
    /// - Parameter seconds: For how long it is closed.
    func signInClosed(for seconds: Int64) {
        guard seconds <= SignInPage.closingMax else {
            notice("sign-in closed until a new password is set")
            return
        }
        notice("sign-in closed", metadata: ["seconds": "\(seconds)"])
    }
}
