import Crypto
import GRDB

/// The sessions of an account: listed and ended by its owner, and ended by an operator.
///
/// The end of a session is recorded before it is made. It applies at once in this process, and
/// within ``SessionLimits/cacheTime`` in others.
extension AuthenticationService {
    /// The open sessions of an account, the one used last first.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - token: The refresh token of the browser that shows them, which stays as it is; nil where
    ///     it has none.
    /// - Returns: The sessions; their number is not limited.
    /// - Throws: ``IdentityFault`` of the store.
    public func openSessions(
        of account: Account,
        here token: String? = nil
    ) async throws(IdentityFault) -> [OpenSession] {
        let now = now()
        var here: String?
        if let token { here = try await store.session(ofRefreshToken: token)?.id }
        let known = try await store.reading { db in
            try IdentityStore.openSessions(of: account.id, db)
        }
        let open = known.compactMap { session -> OpenSession? in
            // The store learns of a use some seconds later.
            let usedAt = sessions.usedAt(session.id)
            guard session.end(at: now, limits, usedAt: usedAt) == nil else { return nil }
            return OpenSession(
                handle: handle(ofSession: session.id),
                clientID: session.clientID,
                startedAt: session.startedAt,
                lastUsedAt: max(session.lastUsedAt, usedAt ?? 0),
                isHere: session.id == here
            )
        }
        return open.sorted { one, other in
            (other.lastUsedAt, other.startedAt, one.handle)
                < (one.lastUsedAt, one.startedAt, other.handle)
        }
    }

    /// Ends one session of an account, at the request of its owner, who has just signed in.
    ///
    /// - Parameters:
    ///   - handle: The handle that the owner knows the session by.
    ///   - owner: The owner's sign-in.
    /// - Returns: Whether the account had the session, and the proof of the sign-in is still valid.
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endSession(_ handle: String, of owner: SignedIn) async throws -> Bool {
        let (now, account) = (now(), owner.account.id)
        let known = try await store.reading { db in
            try IdentityStore.openSessions(of: account, db).map(\.id)
        }
        guard let id = known.first(where: { self.handle(ofSession: $0) == handle }) else {
            return false
        }
        let entry = AccessEntry(.sessionEnded, at: now, account: account, detail: "owner")
        let isEnded = try await change(entry) { [self] db in
            guard try maySignOut(owner, db) else { return false }
            return try IdentityStore.session(id, db)?.hasEnded == false
        } _: { db in
            try IdentityStore.end(id, .endedByOwner, now, db)
        }
        if isEnded { sessions.remove(id) }
        return isEnded
    }

    /// Ends every session of an account, at the request of its owner, who has just signed in.
    ///
    /// - Parameter owner: The owner's sign-in.
    /// - Returns: Whether the proof of the sign-in is still valid.
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endSessions(of owner: SignedIn) async throws -> Bool {
        let (now, account) = (now(), owner.account.id)
        let entry = AccessEntry(.sessionsEnded, at: now, account: account, detail: "owner")
        let areEnded = try await change(entry) { [self] db in
            try maySignOut(owner, db)
        } _: { db in
            try IdentityStore.endSessions(of: account, .endedByOwner, now, db)
        }
        if areEnded { sessions.invalidateAll() }
        return areEnded
    }

    /// Ends every session of an account, at the request of an operator.
    ///
    /// - Parameter name: The account.
    /// - Throws: ``IdentityFault``.
    public func endSessions(of name: AccountName) async throws {
        let now = now()
        let entry = AccessEntry(.sessionsEnded, at: now, subject: name.text)
        let areEnded = try await change(entry) { db in
            try IdentityStore.has(name, db)
        } _: { db in
            let id = try IdentityStore.require(name, db)
            try IdentityStore.endSessions(of: id, .endedByOperator, now, db)
        }
        guard areEnded else { throw IdentityFault.noSuchAccount(name.text) }
        sessions.invalidateAll()
    }

    /// Ends every session of every account, at the request of an operator.
    ///
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endAllSessions() async throws {
        let now = now()
        // This is not the subject, because the subject is the name of an account.
        let entry = AccessEntry(.sessionsEnded, at: now, detail: "everybody")
        _ = try await change(entry) { _ in
            true
        } _: { db in
            try IdentityStore.endAllSessions(.endedByOperator, now, db)
        }
        sessions.invalidateAll()
    }

    /// Whether the owner may end sessions: as for a first passkey, a password is enough.
    private func maySignOut(_ owner: SignedIn, _ db: Database) throws -> Bool {
        try mayChange(owner, isAdding: true, db)
    }

    /// The handle that the owner knows a session by.
    private func handle(ofSession id: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("session handle \(id)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}
