import Hummingbird
import Logging
import TripIdentity

/// `GET` and `POST /account`: where users change their passkeys, their password and their sessions.
///
/// No session begins there: a ticket in the page, good for ten minutes, identifies the account.
struct AccountRoute {
    let authentication: AuthenticationService
    /// Tells owners of changes, and sends password resets; nil where no e-mail is sent.
    let mail: MailQueue?
    let logger: Logger
    /// Whether its accounts are those of a demo, which the page names.
    let isDemo: Bool

    /// The page that asks for a sign-in.
    func page(_ request: Request) throws(Problem) -> Response {
        signInPage(try FormReading(query: request, known: [])).response(.ok, nil)
    }

    /// A form from one of its pages.
    func answer(_ request: Request) async throws -> Response {
        let form = try await OwnForm.read(request, issuer: authentication.issuer)
        guard let ticket = form["ticket"] else { return try await signedIn(form) }
        guard let owner = try await authentication.holder(of: ticket) else {
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
        switch try await authentication.signIn(form) {
        case .accepted(let owner):
            guard try await authentication.mayManageAccount(owner) else {
                return page.refusing(
                    authentication.requiresPasskey ? .passkeyFirst : page.refusal,
                    nil
                )
            }
            return try await accountPage(owner, authentication.ticket(for: owner), nil)
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
        _ owner: AuthenticationService.SignedIn
    ) async throws -> Response {
        let making = PasskeyRegistration(
            clientData: form["client_data"] ?? "",
            attestation: form["attestation"] ?? ""
        )
        guard let making, try await authentication.addPasskey(making, for: owner) else {
            let notice = "The passkey was not accepted."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        logger.info("passkey added", metadata: ["account": "\(owner.account.id)"])
        mail?.tell(owner.account, .passkeyAdded)
        return try await accountPage(owner, ticket, "The passkey is added.")
    }

    private func removePasskey(
        _ form: FormReading,
        _ ticket: String,
        _ owner: AuthenticationService.SignedIn
    ) async throws -> Response {
        guard try await authentication.removePasskey(form["passkey"] ?? "", of: owner) else {
            let notice = "There is no such passkey."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        mail?.tell(owner.account, .passkeyRemoved)
        return try await reopened(
            owner,
            ticket,
            "The passkey is removed, and you are signed out everywhere."
        )
    }

    private func setPassword(
        _ form: FormReading,
        _ ticket: String,
        _ owner: AuthenticationService.SignedIn
    ) async throws -> Response {
        switch try await authentication.setPassword(form["password"] ?? "", for: owner) {
        case .done(let account):
            mail?.tell(account, .passwordSet)
            return Page.passwordIsSet().response(.ok)
        case .closed: return signInPage(form).refusing(.late, nil)
        case .weak(let violation):
            let (status, retryAfter) = violation.refusal
            return try await accountPage(
                owner,
                ticket,
                violation.notice,
                status: status,
                retryAfter: retryAfter
            )
        case .busy: return signInPage(form).refusing(.busy, nil)
        }
    }

    /// The page of an account.
    ///
    /// - Parameters:
    ///   - owner: The account.
    ///   - ticket: Identifies the account in the page's forms.
    ///   - notice: The result of the step before; nil where there was none.
    ///   - status: Whether that step was done.
    ///   - seconds: After how long to try again; nil where that makes no difference.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func accountPage(
        _ owner: AuthenticationService.SignedIn,
        _ ticket: String,
        _ notice: String?,
        status: HTTPResponse.Status = .ok,
        retryAfter seconds: Int64? = nil
    ) async throws -> Response {
        let account = owner.account
        let passkeys = try await authentication.passkeys(of: account)
        let sessions = try await authentication.openSessions(of: account)
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
        if let party = authentication.relyingParty {
            let invitation = authentication.invitation(for: owner)
            values["invitation"] = [
                "party": party, "challenge": invitation.challenge,
                "handle": invitation.userHandle,
                "algorithms": invitation.algorithms.map(String.init).joined(separator: " "),
                "known": passkeys.map(\.id).joined(separator: " "),
            ]
        }
        let hasScript = authentication.relyingParty != nil
        return Page(
            .account,
            notice: notice,
            isSuccess: status == .ok,
            hasScript: hasScript,
            values
        ).response(status, retryAfter: seconds)
    }

    /// The page that asks for a sign-in, once more.
    func signInPage(_ form: FormReading) -> SignInPage {
        let ways = SignInPage.WaysIn(
            // The password is asked for before anything is changed, unless a passkey is required.
            passkey: authentication.requiresPasskey
                ? authentication.passkeyAsked(after: form) : nil,
            canForget: mail != nil,
            leadsToAccount: false
        )
        let form = form.keeping(["username", "challenge"])
        return SignInPage(form: form, action: "account", ways: ways, isDemo: isDemo)
    }
}

extension Page {
    /// The page after a password was set.
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

extension PasswordRules.Violation {
    /// The notice where a password was not taken.
    var notice: String { "The password was not set: \(self)" }

    /// The status, by whether the password or the server is at fault, and for the latter the
    /// seconds until another try.
    var refusal: (status: HTTPResponse.Status, retryAfter: Int64?) {
        switch self {
        // A minute: the operator has to mend the list.
        case .notChecked: (.serviceUnavailable, 60)
        default: (.forbidden, nil)
        }
    }
}

/// The steps by which users end their other sessions.
extension AccountRoute {
    /// Ends one session of the account.
    ///
    /// - Parameters:
    ///   - form: The form; its field `session` names the one.
    ///   - ticket: The page's ticket.
    ///   - owner: The account.
    /// - Returns: The page again, without the session.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSession(
        _ form: FormReading,
        _ ticket: String,
        _ owner: AuthenticationService.SignedIn
    ) async throws -> Response {
        guard try await authentication.endSession(form["session"] ?? "", of: owner) else {
            // It may have ended by itself since the page was shown.
            let notice = "You are not signed in there, or not any more."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        return try await accountPage(owner, ticket, "You are logged out there.")
    }

    /// Ends all sessions of the account, and closes its pages but this one.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - ticket: The page's ticket.
    ///   - owner: The account.
    /// - Returns: The page again, or the sign-in page where the password or passkey it was opened
    ///   with is gone meanwhile.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSessions(
        _ form: FormReading,
        _ ticket: String,
        _ owner: AuthenticationService.SignedIn
    ) async throws -> Response {
        guard try await authentication.endSessions(of: owner) else {
            return signInPage(form).refusing(.late, nil)
        }
        return try await reopened(owner, ticket, "You are logged out everywhere.")
    }

    /// The page from which all sessions of its account were ended: it alone stays open, by another
    /// ticket.
    ///
    /// - Parameters:
    ///   - owner: The account.
    ///   - ticket: The ticket until then.
    ///   - notice: What was done.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func reopened(
        _ owner: AuthenticationService.SignedIn,
        _ ticket: String,
        _ notice: String
    ) async throws -> Response {
        let owner = owner.afterSignOut
        let next = authentication.ticket(for: owner, inPlaceOf: ticket)
        return try await accountPage(owner, next, notice)
    }

    /// The values of a session that the page shows.
    static func values(_ session: OpenSession) -> [String: String] {
        [
            "handle": session.handle, "client": session.clientID,
            "began": UTCText.minute(session.startedAt), "used": UTCText.minute(session.lastUsedAt),
        ]
    }
}
