import GRDB
import JWTKit
import Synchronization

/// The keys of another issuer, as they were read last.
final class ForeignTrust: Sendable {
    let issuer: ForeignIssuer
    private let state: Mutex<ForeignKeys>

    init(_ issuer: ForeignIssuer) async throws {
        self.issuer = issuer
        state = Mutex(try await ForeignKeys(issuer.keysPath))
    }

    var keys: ForeignKeys { state.withLock { $0 } }

    /// Reads the file again where it is another one.
    ///
    /// - Returns: Whether it was.
    /// - Throws: ``IdentityFault`` of the file; the keys before stay.
    func look() async throws -> Bool {
        guard try ForeignKeys.Mark(issuer.keysPath) != keys.mark else { return false }
        let read = try await ForeignKeys(issuer.keysPath)
        state.withLock { $0 = read }
        return true
    }
}

extension Authority {
    /// Whether another server says who somebody is; people cannot sign in here then.
    public var isForeign: Bool { foreign != nil }

    /// Takes up the other issuer's keys, where their file was replaced; what was verified by the ones before is
    /// verified again.
    ///
    /// - Returns: Whether it was replaced.
    /// - Throws: ``IdentityFault`` of the file; the keys before stay in force.
    @discardableResult
    public func lookForForeignKeys() async throws -> Bool {
        guard let foreign, try await foreign.look() else { return false }
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
            authenticatedAt: said.authenticatedAt
        )
        if try await store.begin(claims, of: account, now: now, limits) {
            try await record.add(
                AccessEntry(.signedIn, at: now, account: account.id, detail: "issuer")
            )
        }
        return (claims, id)
    }
}

extension IdentityStore {
    /// Begins the session of a token of another issuer, where it is the first of its sign-in.
    ///
    /// - Returns: Whether it is.
    func begin(
        _ claims: AccessToken,
        of account: Account,
        now: Int64,
        _ limits: SessionLimits
    ) async throws(IdentityFault) -> Bool {
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
            return db.changesCount == 1
        }
    }
}
