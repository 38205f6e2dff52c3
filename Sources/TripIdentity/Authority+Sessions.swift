import Crypto
import GRDB

/// Where somebody is signed in: seen and ended by its owner, and ended by an operator.
///
/// An end is recorded before it is made, and holds at once here and within ``SessionLimits/notice`` in other processes.
extension Authority {
    /// The sessions of an account that go on, the one used last first.
    ///
    /// - Parameter account: The account.
    /// - Returns: The sessions; there may be any number.
    /// - Throws: ``IdentityFault`` of the store.
    public func openSessions(of account: Account) async throws(IdentityFault) -> [OpenSession] {
        let now = now()
        let known = try await store.looking { db in
            try IdentityStore.openSessions(of: account.id, db)
        }
        let open = known.compactMap { session -> OpenSession? in
            // The store is told of a use some seconds later.
            let usedAt = sessions.usedAt(session.id)
            guard session.end(at: now, limits, usedAt: usedAt) == nil else { return nil }
            return OpenSession(
                handle: handle(ofSession: session.id),
                clientID: session.clientID,
                startedAt: session.startedAt,
                lastUsedAt: max(session.lastUsedAt, usedAt ?? 0)
            )
        }
        return open.sorted { one, other in
            (other.lastUsedAt, other.startedAt, one.handle)
                < (one.lastUsedAt, one.startedAt, other.handle)
        }
    }

    /// Ends one session of an account, as its owner asks who has just signed in.
    ///
    /// - Parameters:
    ///   - handle: What the session is known to its owner by.
    ///   - owner: Who asks.
    /// - Returns: Whether they had one of the handle, and have still what they signed in with.
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endSession(_ handle: String, of owner: SignedIn) async throws -> Bool {
        let (now, account) = (now(), owner.account.id)
        let known = try await store.looking { db in
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

    /// Ends every session of an account, as its owner asks who has just signed in.
    ///
    /// - Parameter owner: Who asks.
    /// - Returns: Whether they have still what they signed in with.
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endSessions(of owner: SignedIn) async throws -> Bool {
        let (now, account) = (now(), owner.account.id)
        let entry = AccessEntry(.sessionsEnded, at: now, account: account, detail: "owner")
        let areEnded = try await change(entry) { [self] db in
            try maySignOut(owner, db)
        } _: { db in
            try IdentityStore.endSessions(of: account, .endedByOwner, now, db)
        }
        if areEnded { sessions.lookAgain() }
        return areEnded
    }

    /// Ends every session of an account, as an operator asks.
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
        sessions.lookAgain()
    }

    /// Ends every session of every account, as an operator asks.
    ///
    /// - Throws: ``IdentityFault`` of the store or the record.
    public func endAllSessions() async throws {
        let now = now()
        // Not as a subject, where the name of an account would stand.
        let entry = AccessEntry(.sessionsEnded, at: now, detail: "everybody")
        _ = try await change(entry) { _ in
            true
        } _: { db in
            try IdentityStore.endAllSessions(.endedByOperator, now, db)
        }
        sessions.lookAgain()
    }

    /// Whether somebody may end sessions, by what they signed in with: as for a first passkey, a password is enough for that.
    private func maySignOut(_ owner: SignedIn, _ db: Database) throws -> Bool {
        try mayChange(owner, isAdding: true, db)
    }

    /// What its owner knows a session by.
    private func handle(ofSession id: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("session handle \(id)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}
