import GRDB
import Glibc
import JWTKit
import Synchronization

/// An external issuer with the keys that are trusted now.
final class TrustedIssuer: Sendable {
    let issuer: ExternalIssuer
    private let state: Mutex<State>

    private struct State {
        var keys: ExternalKeys
        /// The time since which the file is missing; nil where it exists.
        var missingSince: Int64?
    }

    /// How many seconds a file may be missing while it is replaced; after that its keys are
    /// withdrawn.
    static let gracePeriod: Int64 = 60

    init(_ issuer: ExternalIssuer) async throws {
        self.issuer = issuer
        let keys = try await ExternalKeys(issuer.keysPath)
        // At the start an empty file is a mistake; later it is how trust in an issuer is withdrawn.
        guard !keys.ids.isEmpty else { throw IdentityFault.externalKeys(issuer.keysPath) }
        state = Mutex(State(keys: keys))
    }

    var keys: ExternalKeys { state.withLock { $0.keys } }

    /// Reads the file again where it was replaced.
    ///
    /// - Parameter now: The time.
    /// - Returns: Whether other keys are in force now.
    /// - Throws: ``IdentityFault`` of the file; the earlier keys stay in force until it has been
    ///   missing for a minute.
    func reload(at now: Int64) async throws -> Bool {
        guard access(issuer.keysPath, F_OK) == 0 else {
            if isWithdrawn(at: now) { return true }
            throw IdentityFault.externalKeys(issuer.keysPath)
        }
        state.withLock { $0.missingSince = nil }
        guard try ExternalKeys.Mark(issuer.keysPath) != keys.mark else { return false }
        let read = try await ExternalKeys(issuer.keysPath)
        state.withLock { $0.keys = read }
        return true
    }

    /// Whether the keys of a missing file are withdrawn now.
    private func isWithdrawn(at now: Int64) -> Bool {
        state.withLock { state in
            let since = state.missingSince ?? now
            state.missingSince = since
            guard now - since >= Self.gracePeriod, !state.keys.ids.isEmpty else { return false }
            state.keys = .none
            return true
        }
    }
}

extension AuthenticationService {
    /// Whether there are keys of the external issuer with which tokens can be verified.
    public var hasExternalKeys: Bool { !(external?.keys.ids.isEmpty ?? true) }

    /// Whether an external issuer signs people in; no account can sign in at this server then.
    public var hasExternalIssuer: Bool { external != nil }

    /// Reads the external issuer's keys again where their file was replaced.
    ///
    /// Tokens that the earlier keys verified are then verified again.
    ///
    /// - Returns: Whether the file was replaced.
    /// - Throws: ``IdentityFault`` of the file; the earlier keys stay in force, for a minute where
    ///   it is missing.
    @discardableResult
    public func reloadExternalKeys() async throws -> Bool {
        guard let external, try await external.reload(at: now()) else { return false }
        tokens.removeAll()
        return true
    }

    /// The claims of an external issuer's token as one of this server's tokens has them.
    ///
    /// The account is the one that a claim names; the session begins with the first token of a
    /// sign-in.
    func externalClaims(
        _ token: String,
        _ trust: TrustedIssuer
    ) async throws -> (AccessToken, String)? {
        let keys = trust.keys
        guard let id = TokenHeader.keyID(of: token), keys.ids.contains(id)
        else { return nil }
        let now = now()
        // The reason for a refusal is not returned, and the library's message would quote the
        // token.
        guard let payload = try? await keys.collection.verify(token, as: ExternalToken.self),
            payload.isGood(at: now, trust.issuer),
            let claim = payload.name(trust.issuer.nameClaim),
            // A text that is not a valid name belongs to no account; to an issuer, capitals are
            // different letters.
            let name = try? AccountName(claim), name.text == claim,
            let account = try await store.account(named: name), !account.isDisabled
        else { return nil }
        let claims = AccessToken(
            issuer: payload.issuer,
            audience: audience,
            subject: String(account.id),
            clientID: payload.clientID,
            issuedAt: payload.issuedAt,
            notBefore: payload.notBefore ?? payload.issuedAt,
            expiresAt: payload.expiresAt,
            id: "",
            sessionID: payload.session,
            // A clock that is ahead must not make a sign-in more recent than now.
            authenticatedAt: min(payload.authenticatedAt, now)
        )
        if try await store.session(claims.sessionID) == nil {
            // This is recorded first, because no sign-in goes unrecorded; two first tokens at once
            // may be recorded twice.
            try await record.add(
                AccessEntry(.signedIn, at: now, account: account.id, detail: "issuer")
            )
            try await store.begin(claims, of: account, now: now, limits)
        }
        return (claims, id)
    }
}

extension IdentityStore {
    /// Begins the session of an external issuer's token, where no token of its sign-in did so
    /// before.
    func begin(
        _ claims: AccessToken,
        of account: Account,
        now: Int64,
        _ limits: SessionLimits
    ) async throws(IdentityFault) {
        try await changing { db in
            try db.execute(
                sql: "DELETE FROM session WHERE started_at < ?",
                arguments: [now - limits.retention]
            )
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO session
                      (session_id, account_id, client_id, authenticated_at, started_at,
                       last_used_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    claims.sessionID, account.id, claims.clientID, claims.authenticatedAt,
                    // The session starts at the sign-in, however late its first token arrives here.
                    claims.authenticatedAt, now,
                ]
            )
        }
    }
}
