import GRDB
import Glibc
import JWTKit
import Synchronization

/// The keys of another issuer, as they were read last.
final class ForeignTrust: Sendable {
    let issuer: ForeignIssuer
    private let state: Mutex<State>

    private struct State {
        var keys: ForeignKeys
        /// Since when the file is not there.
        var missingSince: Int64?
    }

    /// Seconds in which a file may be missing while it is replaced; after them its keys are withdrawn.
    static let patience: Int64 = 60

    init(_ issuer: ForeignIssuer) async throws {
        self.issuer = issuer
        let keys = try await ForeignKeys(issuer.keysPath)
        // At the start that is a mistake; later it is how an issuer is trusted no more.
        guard !keys.ids.isEmpty else { throw IdentityFault.foreignKeys(issuer.keysPath) }
        state = Mutex(State(keys: keys))
    }

    var keys: ForeignKeys { state.withLock { $0.keys } }

    /// Reads the file again where it is another one.
    ///
    /// - Parameter now: The time.
    /// - Returns: Whether other keys are in force now.
    /// - Throws: ``IdentityFault`` of the file; the keys before stay until it has been missing for a minute.
    func look(at now: Int64) async throws -> Bool {
        guard access(issuer.keysPath, F_OK) == 0 else {
            if isWithdrawn(at: now) { return true }
            throw IdentityFault.foreignKeys(issuer.keysPath)
        }
        state.withLock { $0.missingSince = nil }
        guard try ForeignKeys.Mark(issuer.keysPath) != keys.mark else { return false }
        let read = try await ForeignKeys(issuer.keysPath)
        state.withLock { $0.keys = read }
        return true
    }

    /// Whether the keys of a file that is not there are withdrawn now.
    private func isWithdrawn(at now: Int64) -> Bool {
        state.withLock { state in
            let since = state.missingSince ?? now
            state.missingSince = since
            guard now - since >= Self.patience, !state.keys.ids.isEmpty else { return false }
            state.keys = .none
            return true
        }
    }
}

extension Authority {
    /// Whether there are keys of the other issuer that anybody comes in by.
    public var hasForeignKeys: Bool { !(foreign?.keys.ids.isEmpty ?? true) }

    /// Whether another server says who somebody is; people cannot sign in here then.
    public var isForeign: Bool { foreign != nil }

    /// Takes up the other issuer's keys, where their file was replaced; what was verified by the ones before is
    /// verified again.
    ///
    /// - Returns: Whether it was replaced.
    /// - Throws: ``IdentityFault`` of the file; the keys before stay in force, for a minute where it is not there.
    @discardableResult
    public func lookForForeignKeys() async throws -> Bool {
        guard let foreign, try await foreign.look(at: now()) else { return false }
        tokens.removeAll()
        return true
    }

    /// What a token of the other issuer says, in the words of ours: of the account that its claim names, and of
    /// a session that begins with the first token of a sign-in.
    func foreignClaims(
        _ token: String,
        _ trust: ForeignTrust
    ) async throws -> (AccessToken, String)? {
        let keys = trust.keys
        guard let id = TokenHeader.keyID(of: token), keys.ids.contains(id)
        else { return nil }
        let now = now()
        // Why it is not good is nobody's business, and the library's words would quote it.
        guard let said = try? await keys.collection.verify(token, as: ForeignToken.self),
            said.isGood(at: now, trust.issuer),
            let claim = said.name(trust.issuer.nameClaim),
            // What is no name is nobody's; to an issuer, capitals are others' letters.
            let name = try? AccountName(claim), name.text == claim,
            let account = try await store.account(named: name), !account.isDisabled
        else { return nil }
        let claims = AccessToken(
            issuer: said.issuer,
            audience: audience,
            subject: String(account.id),
            clientID: said.clientID,
            issuedAt: said.issuedAt,
            notBefore: said.notBefore ?? said.issuedAt,
            expiresAt: said.expiresAt,
            id: "",
            sessionID: said.session,
            // A clock that goes ahead makes nobody's sign-in fresher than now.
            authenticatedAt: min(said.authenticatedAt, now)
        )
        if try await store.session(claims.sessionID) == nil {
            // First, since nobody comes in unrecorded; two first tokens at once may be recorded twice.
            try await record.add(
                AccessEntry(.signedIn, at: now, account: account.id, detail: "issuer")
            )
            try await store.begin(claims, of: account, now: now, limits)
        }
        return (claims, id)
    }
}

extension IdentityStore {
    /// Begins the session of a token of another issuer, where none of its sign-in did.
    func begin(
        _ claims: AccessToken,
        of account: Account,
        now: Int64,
        _ limits: SessionLimits
    ) async throws(IdentityFault) {
        try await changing { db in
            try db.execute(
                sql: "DELETE FROM session WHERE started_at < ?",
                arguments: [now - limits.memory]
            )
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO session
                      (session_id, account_id, client_id, authenticated_at, started_at, last_used_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    claims.sessionID, account.id, claims.clientID, claims.authenticatedAt,
                    // From when they proved who they are, however late their first token came here.
                    claims.authenticatedAt, now,
                ]
            )
        }
    }
}
