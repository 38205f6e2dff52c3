import HTTPTypes
import Hummingbird
import TripIdentity

/// The page that asks for a name and a password, or for a passkey.
struct SignInPage {
    let form: FormReading
    /// Where its forms go: `authorize`, with what the client asked with, or `account`.
    let action: String
    let ways: WaysIn
    /// The result of the try before; the same text for every account.
    var notice: Notice?

    /// The ways to sign in beside a password.
    struct WaysIn {
        /// The relying party of passkeys, and the challenge they sign; nil where there are none.
        var passkey: (party: String, challenge: String)?
        /// Whether a password can be reset by e-mail.
        var canForget: Bool
        /// Whether it links to the account page.
        var leadsToAccount: Bool
    }

    /// Seconds for which a name is closed at most; one that is closed for longer waits for a new
    /// password.
    static let closingMax: Int64 = 900

    /// The result of a try.
    enum Notice: String {
        case wrong = "Name or password is wrong."
        case wrongPasskey = "The passkey was not accepted. Try again, or use your password."
        case wrongPasskeys = "The passkey was not accepted three times. Use your password."
        case passkeyFirst =
            "A password alone is not enough here. Sign in with a passkey; add your first one under Passkeys and password."
        /// The same also where the name is closed until a new password, and where no account has
        /// it.
        case closed =
            "Too many tries. Wait a few minutes, then try again. If it goes on, ask your administrator."
        case busy = "Many users are signing in. Try again in a moment."
        case late = "That took too long. Sign in again."
    }

    /// The notice after a password or passkey that is wrong.
    var refusal: Notice {
        guard form["challenge"] != nil else { return .wrong }
        return ways.passkey == nil ? .wrongPasskeys : .wrongPasskey
    }

    /// The answer where a sign-in is refused.
    ///
    /// - Parameters:
    ///   - notice: The reason.
    ///   - origin: Where the browser is sent after a sign-in; nil for nowhere.
    ///   - seconds: After how long to try again, where that is known.
    /// - Returns: The page again.
    func refusing(_ notice: Notice, _ origin: String?, seconds: Int64? = nil) -> Response {
        var page = self
        page.notice = notice
        switch notice {
        case .wrong, .wrongPasskey, .wrongPasskeys, .passkeyFirst, .late:
            return page.response(.forbidden, origin)
        case .closed:
            let wait = seconds.map { min($0, Self.closingMax) }
            return page.response(.tooManyRequests, origin, retryAfter: wait)
        case .busy: return page.response(.serviceUnavailable, origin, retryAfter: 10)
        }
    }

    /// The answer.
    func response(
        _ status: HTTPResponse.Status,
        _ origin: String?,
        retryAfter seconds: Int64? = nil
    ) -> Response {
        page.response(status, sentOnTo: origin, retryAfter: seconds)
    }

    /// The page as it is.
    var page: Page {
        let fields = AuthorizeRoute.fieldNames.compactMap { name in
            form[name].map { ["name": name, "value": $0] }
        }
        var values: [String: Any] = [
            "action": action, "fields": fields, "username": form["username"] ?? "",
            "forgotten": ways.canForget, "account": ways.leadsToAccount,
            "isForAccount": !ways.leadsToAccount,
        ]
        if let passkey = ways.passkey {
            values["passkey"] = ["party": passkey.party, "challenge": passkey.challenge]
        }
        return Page(
            .signIn,
            notice: notice?.rawValue,
            hasScript: ways.passkey != nil,
            values
        )
    }
}
