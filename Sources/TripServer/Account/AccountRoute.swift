import Hummingbird
import Logging
import TripIdentity

/// `GET` and `POST /account`: where people look after their passkeys, their password and where they are signed in.
///
/// Nobody stays signed in there: a ticket in the page, good for ten minutes, says whose it is.
struct AccountRoute {
    let authority: Authority
    /// What tells owners of changes, and sends ways to new passwords; nil where nothing does.
    let letters: LetterRoom?
    let logger: Logger

    /// The page that asks who somebody is.
    func page(_ request: Request) throws(Problem) -> Response {
        signInPage(try FormReading(query: request, known: [])).response(.ok, nil)
    }

    /// What was sent from one of its pages.
    func answer(_ request: Request) async throws -> Response {
        let form = try await OwnForm.read(request, issuer: authority.issuer)
        guard let ticket = form["ticket"] else { return try await signedIn(form) }
        guard let owner = try await authority.holder(of: ticket) else {
            return signInPage(form).refusing(.late, nil)
        }
        switch form["step"] {
        case "add_passkey": return try await addPasskey(form, ticket, owner)
        case "remove_passkey": return try await removePasskey(form, ticket, owner)
        case "set_password": return try await setPassword(form, ticket, owner)
        case "end_session": return try await endSession(form, ticket, owner)
        case "end_sessions": return try await endSessions(form, ticket, owner)
        default: throw Problem.badRequest
        }
    }

    private func signedIn(_ form: FormReading) async throws -> Response {
        let page = signInPage(form)
        switch try await authority.signIn(form) {
        case .accepted(let owner):
            guard try await authority.mayLookAfter(owner) else {
                return page.refusing(
                    authority.requiresPasskey ? .passkeyFirst : page.refusal,
                    nil
                )
            }
            return try await accountPage(owner, authority.ticket(for: owner), nil)
        case .refused:
            logger.notice("sign-in refused")
            return page.refusing(page.refusal, nil)
        case .closed(let seconds):
            logger.signInClosed(for: seconds)
            return page.refusing(.closed, nil, seconds: seconds)
        case .busy: return page.refusing(.busy, nil)
        }
    }

    private func addPasskey(
        _ form: FormReading,
        _ ticket: String,
        _ owner: Authority.SignedIn
    ) async throws -> Response {
        let making = PasskeyMaking(
            clientData: form["client_data"] ?? "",
            attestation: form["attestation"] ?? ""
        )
        guard let making, try await authority.addPasskey(making, for: owner) else {
            let notice = "The passkey was not accepted."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        logger.info("passkey added", metadata: ["account": "\(owner.account.id)"])
        letters?.tell(owner.account, .passkeyAdded)
        return try await accountPage(owner, ticket, "The passkey is added.")
    }

    private func removePasskey(
        _ form: FormReading,
        _ ticket: String,
        _ owner: Authority.SignedIn
    ) async throws -> Response {
        guard try await authority.removePasskey(form["passkey"] ?? "", of: owner) else {
            let notice = "There is no such passkey."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        letters?.tell(owner.account, .passkeyRemoved)
        return try await goingOn(
            owner,
            ticket,
            "The passkey is removed, and you are signed out everywhere."
        )
    }

    private func setPassword(
        _ form: FormReading,
        _ ticket: String,
        _ owner: Authority.SignedIn
    ) async throws -> Response {
        switch try await authority.setPassword(form["password"] ?? "", for: owner) {
        case .done(let account):
            letters?.tell(account, .passwordSet)
            return Page.passwordIsSet().response(.ok)
        case .closed: return signInPage(form).refusing(.late, nil)
        case .weak(let breach):
            let (status, retryAfter) = breach.refusal
            return try await accountPage(
                owner,
                ticket,
                breach.notice,
                status: status,
                retryAfter: retryAfter
            )
        case .busy: return signInPage(form).refusing(.busy, nil)
        }
    }

    /// The page of an account.
    ///
    /// - Parameters:
    ///   - owner: Whose it is.
    ///   - ticket: What says so in its forms.
    ///   - notice: What came of the step before; nil where there was none.
    ///   - status: Whether that was good news.
    ///   - seconds: After how long it is worth trying again; nil where that makes no difference.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func accountPage(
        _ owner: Authority.SignedIn,
        _ ticket: String,
        _ notice: String?,
        status: HTTPResponse.Status = .ok,
        retryAfter seconds: Int64? = nil
    ) async throws -> Response {
        let account = owner.account
        let passkeys = try await authority.passkeys(of: account)
        let sessions = try await authority.openSessions(of: account)
        var values: [String: Any] = [
            "ticket": ticket, "username": account.name.text, "hasPasskeys": !passkeys.isEmpty,
            "passkeys": passkeys.map { passkey in
                [
                    "id": passkey.id,
                    "added": UTCText.day(passkey.createdAt),
                    "used": passkey.lastUsedAt.map(UTCText.day) ?? "never",
                    "place": passkey.mayBeSynced ? "your devices" : "one device",
                ]
            },
            "hasSessions": !sessions.isEmpty, "sessions": sessions.map(Self.values),
        ]
        if let party = authority.relyingParty {
            let invitation = authority.invitation(for: owner)
            values["invitation"] = [
                "party": party, "challenge": invitation.challenge,
                "handle": invitation.userHandle,
                "algorithms": invitation.algorithms.map(String.init).joined(separator: " "),
                "known": passkeys.map(\.id).joined(separator: " "),
            ]
        }
        let hasScript = authority.relyingParty != nil
        return Page(
            .account,
            notice: notice,
            isGoodNews: status == .ok,
            hasScript: hasScript,
            values
        ).response(status, retryAfter: seconds)
    }

    /// The page that asks who somebody is, once more.
    func signInPage(_ form: FormReading) -> SignInPage {
        let ways = SignInPage.WaysIn(
            // The password is asked for before anything is changed, unless a passkey is required.
            passkey: authority.requiresPasskey ? authority.passkeyAsked(after: form) : nil,
            canForget: letters != nil,
            leadsToAccount: false
        )
        let form = form.keeping(["username", "challenge"])
        return SignInPage(form: form, action: "account", ways: ways)
    }
}

extension Page {
    /// What somebody reads whose password was set.
    ///
    /// - Parameter more: What else was done, as a sentence.
    /// - Returns: The page.
    static func passwordIsSet(_ more: String? = nil) -> Page {
        let texts = ["Sign in with it wherever you were signed in before.", more]
        return .word(
            "Your password is set",
            texts.compactMap(\.self).joined(separator: " "),
            way: .account
        )
    }
}

extension PasswordRules.Breach {
    /// What somebody reads whose password was not taken.
    var notice: String { "The password was not set: \(self)" }

    /// Whose fault it is, the password's or the server's for now, and then the seconds until it may be tried again.
    var refusal: (status: HTTPResponse.Status, retryAfter: Int64?) {
        switch self {
        // A minute: whoever looks after the server has to mend the list.
        case .notLookedUp: (.serviceUnavailable, 60)
        default: (.forbidden, nil)
        }
    }
}
