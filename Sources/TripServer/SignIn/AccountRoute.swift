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
        let token = RefreshCookie.token(of: request)
        guard let ticket = form["ticket"] else { return try await signedIn(form, token) }
        guard let owner = try await authentication.holder(of: ticket) else {
            return signInPage(form).refusing(.late, nil)
        }
        let visit = AccountVisit(owner: owner, ticket: ticket, refreshToken: token)
        switch form["step"] {
        case "add_passkey": return try await addPasskey(form, visit)
        case "remove_passkey": return try await removePasskey(form, visit)
        case "set_password": return try await setPassword(form, visit)
        case "end_session": return try await endSession(form, visit)
        case "end_sessions": return try await endSessions(form, visit)
        default: throw Problem.badRequest
        }
    }

    private func signedIn(_ form: FormReading, _ token: String?) async throws -> Response {
        let page = signInPage(form)
        switch try await authentication.signIn(form) {
        case .accepted(let owner):
            guard try await authentication.mayManageAccount(owner) else {
                return page.refusing(
                    authentication.requiresPasskey ? .passkeyFirst : page.refusal,
                    nil
                )
            }
            let ticket = authentication.ticket(for: owner)
            let visit = AccountVisit(owner: owner, ticket: ticket, refreshToken: token)
            return try await accountPage(visit, nil)
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
        _ visit: AccountVisit
    ) async throws -> Response {
        let making = PasskeyRegistration(
            clientData: form["client_data"] ?? "",
            attestation: form["attestation"] ?? ""
        )
        guard let making, try await authentication.addPasskey(making, for: visit.owner) else {
            let notice = "The passkey was not accepted."
            return try await accountPage(visit, notice, status: .forbidden)
        }
        logger.info("passkey added", metadata: ["account": "\(visit.owner.account.id)"])
        mail?.tell(visit.owner.account, .passkeyAdded)
        return try await accountPage(visit, "The passkey is added.")
    }

    private func removePasskey(
        _ form: FormReading,
        _ visit: AccountVisit
    ) async throws -> Response {
        guard try await authentication.removePasskey(form["passkey"] ?? "", of: visit.owner) else {
            let notice = "There is no such passkey."
            return try await accountPage(visit, notice, status: .forbidden)
        }
        mail?.tell(visit.owner.account, .passkeyRemoved)
        return try await reopened(
            visit,
            "The passkey is removed, and you are signed out everywhere."
        )
    }

    private func setPassword(
        _ form: FormReading,
        _ visit: AccountVisit
    ) async throws -> Response {
        switch try await authentication.setPassword(form["password"] ?? "", for: visit.owner) {
        case .done(let account):
            mail?.tell(account, .passwordSet)
            return Page.passwordIsSet().response(.ok)
        case .closed: return signInPage(form).refusing(.late, nil)
        case .weak(let violation):
            let (status, retryAfter) = violation.refusal
            return try await accountPage(
                visit,
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
    ///   - visit: The account, and the browser it is shown in.
    ///   - notice: The result of the step before; nil where there was none.
    ///   - status: Whether that step was done.
    ///   - seconds: After how long to try again; nil where that makes no difference.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func accountPage(
        _ visit: AccountVisit,
        _ notice: String?,
        status: HTTPResponse.Status = .ok,
        retryAfter seconds: Int64? = nil
    ) async throws -> Response {
        let account = visit.owner.account
        let passkeys = try await authentication.passkeys(of: account)
        let sessions = try await authentication.openSessions(
            of: account,
            here: visit.refreshToken
        )
        var values: [String: Any] = [
            "ticket": visit.ticket, "username": account.name.text, "hasPasskeys": !passkeys.isEmpty,
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
            let invitation = authentication.invitation(for: visit.owner)
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

/// An owner at the page of an account.
struct AccountVisit {
    /// The account, which has just signed in.
    let owner: AuthenticationService.SignedIn
    /// Identifies the account in the page's forms.
    let ticket: String
    /// The refresh token of the browser's own session, which opens nothing here; nil where it has
    /// none.
    let refreshToken: String?
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
    ///   - visit: The account.
    /// - Returns: The page again, without the session.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSession(
        _ form: FormReading,
        _ visit: AccountVisit
    ) async throws -> Response {
        guard try await authentication.endSession(form["session"] ?? "", of: visit.owner) else {
            // It may have ended by itself since the page was shown.
            let notice = "You are not signed in there, or not any more."
            return try await accountPage(visit, notice, status: .forbidden)
        }
        return try await accountPage(visit, "You are logged out there.")
    }

    /// Ends all sessions of the account, and closes its pages but this one.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - visit: The account.
    /// - Returns: The page again, or the sign-in page where the password or passkey it was opened
    ///   with is gone meanwhile.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSessions(
        _ form: FormReading,
        _ visit: AccountVisit
    ) async throws -> Response {
        guard try await authentication.endSessions(of: visit.owner) else {
            return signInPage(form).refusing(.late, nil)
        }
        return try await reopened(visit, "You are logged out everywhere.")
    }

    /// The page from which all sessions of its account were ended: it alone stays open, by another
    /// ticket.
    ///
    /// - Parameters:
    ///   - visit: The account, with its ticket until then.
    ///   - notice: What was done.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func reopened(
        _ visit: AccountVisit,
        _ notice: String
    ) async throws -> Response {
        let owner = visit.owner.afterSignOut
        let next = authentication.ticket(for: owner, inPlaceOf: visit.ticket)
        let visit = AccountVisit(owner: owner, ticket: next, refreshToken: visit.refreshToken)
        return try await accountPage(visit, notice)
    }

    /// The values of a session that the page shows.
    static func values(_ session: OpenSession) -> [String: Any] {
        [
            "handle": session.handle, "client": session.clientID, "isHere": session.isHere,
            "began": UTCText.minute(session.startedAt), "used": UTCText.minute(session.lastUsedAt),
        ]
    }
}
