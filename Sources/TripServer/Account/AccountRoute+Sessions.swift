import Hummingbird
import TripIdentity

/// The steps by which people sign out of what they are signed in to elsewhere.
extension AccountRoute {
    /// Ends one of their sessions.
    ///
    /// - Parameters:
    ///   - form: What was sent; its field `session` names the one.
    ///   - ticket: What says whose page it came from.
    ///   - owner: Who that is.
    /// - Returns: The page again, without the session.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSession(
        _ form: FormReading,
        _ ticket: String,
        _ owner: Authority.SignedIn
    ) async throws -> Response {
        guard try await authority.endSession(form["session"] ?? "", of: owner) else {
            // It may have ended by itself since the page was shown, which then shows it no more.
            let notice = "You are not signed in there, or not any more."
            return try await accountPage(owner, ticket, notice, status: .forbidden)
        }
        return try await accountPage(owner, ticket, "You are signed out there.")
    }

    /// Ends all of their sessions, and closes their pages but this one.
    ///
    /// - Parameters:
    ///   - form: What was sent.
    ///   - ticket: What says whose page it came from.
    ///   - owner: Who that is.
    /// - Returns: The page again, or the one that asks who somebody is where what they signed in with is gone meanwhile.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func endSessions(
        _ form: FormReading,
        _ ticket: String,
        _ owner: Authority.SignedIn
    ) async throws -> Response {
        guard try await authority.endSessions(of: owner) else {
            return signInPage(form).refusing(.late, nil)
        }
        return try await goingOn(owner, ticket, "You are signed out everywhere.")
    }

    /// The page of somebody all of whose sessions were ended from it: it alone goes on, by another ticket.
    ///
    /// - Parameters:
    ///   - owner: Who that is.
    ///   - ticket: What said so until then.
    ///   - notice: What was done.
    /// - Returns: The page.
    /// - Throws: ``IdentityFault`` of the store.
    func goingOn(
        _ owner: Authority.SignedIn,
        _ ticket: String,
        _ notice: String
    ) async throws -> Response {
        let owner = owner.afterSignOut
        let next = authority.ticket(for: owner, inPlaceOf: ticket)
        return try await accountPage(owner, next, notice)
    }

    /// What the page shows of a session.
    static func values(_ session: OpenSession) -> [String: String] {
        [
            "handle": session.handle, "client": session.clientID,
            "began": UTCText.minute(session.startedAt), "used": UTCText.minute(session.lastUsedAt),
        ]
    }
}
