import GRDB

/// One sign-in at a client; its tokens are valid as long as the session is open.
public struct Session: Sendable, Hashable {
    /// Its id, which tokens carry.
    public let id: String
    /// The account that signed in.
    public let account: Account
    /// The client it belongs to.
    public let clientID: String
    /// When the person last proved who they are, in seconds of UTC.
    public let authenticatedAt: Int64
    let startedAt: Int64
    let lastUsedAt: Int64
    let hasEnded: Bool

    /// Why a session ended.
    enum End: String {
        case signedOut = "signed_out"
        case accountDisabled = "account_disabled"
        case passwordChanged = "password_changed"
        case passkeyRemoved = "passkey_removed"
        case refreshTokenReused = "refresh_token_reused"
        case codeReused = "code_reused"
        case endedByOwner = "ended_by_owner"
        case endedByOperator = "ended_by_operator"
        case idle
        case tooLong = "too_long"
    }

    /// Why the session is over; nil where it is open.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - limits: The lifetimes of sessions, codes and tokens.
    ///   - usedAt: When it was last used, where that is later than the store knows.
    /// - Returns: The reason.
    func end(at now: Int64, _ limits: SessionLimits, usedAt: Int64? = nil) -> End? {
        if account.isDisabled { return .accountDisabled }
        // Both directions count: where the clock was set back, the real duration is unknown.
        if abs(now - startedAt) >= limits.session { return .tooLong }
        return abs(now - max(lastUsedAt, usedAt ?? 0)) >= limits.idle ? .idle : nil
    }
}

extension IdentityStore {
    /// A session; nil where there is none.
    func session(_ id: String) async throws(IdentityFault) -> Session? {
        try await reading { try Self.session(id, $0) }
    }

    /// Notes that a session was used.
    func touch(_ id: String, now: Int64) async throws(IdentityFault) {
        try await changing { db in
            try db.execute(
                sql: """
                    UPDATE session SET last_used_at = max(last_used_at, ?)
                    WHERE session_id = ? AND ended_at IS NULL
                    """,
                arguments: [now, id]
            )
        }
    }

    /// Ends a session, if it has not ended.
    ///
    /// - Returns: Whether it was open until now.
    @discardableResult
    func end(
        _ id: String,
        _ reason: Session.End,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { try Self.end(id, reason, now, $0) }
    }

    @discardableResult
    static func end(
        _ id: String,
        _ reason: Session.End,
        _ now: Int64,
        _ db: Database
    ) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE session SET ended_at = ?, end_reason = ?
                WHERE session_id = ? AND ended_at IS NULL
                """,
            arguments: [now, reason.rawValue, id]
        )
        return db.changesCount == 1
    }

    /// Ends every session of an account, and makes its codes, tickets and earlier sign-ins invalid.
    static func endSessions(
        of accountID: Int64,
        _ reason: Session.End,
        _ now: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE session SET ended_at = ?, end_reason = ?
                WHERE account_id = ? AND ended_at IS NULL
                """,
            arguments: [now, reason.rawValue, accountID]
        )
        // A code that was issued before must not begin a session.
        try db.execute(
            sql: "UPDATE authorization_code SET is_used = 1 WHERE account_id = ?",
            arguments: [accountID]
        )
        // An open page of the account must not add a passkey or set a password.
        try db.execute(
            sql: "UPDATE account SET sign_out_count = sign_out_count + 1 WHERE account_id = ?",
            arguments: [accountID]
        )
    }

    /// Ends every session, and makes all codes, tickets and earlier sign-ins invalid.
    static func endAllSessions(_ reason: Session.End, _ now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE session SET ended_at = ?, end_reason = ? WHERE ended_at IS NULL",
            arguments: [now, reason.rawValue]
        )
        // The reasons are those for the sessions of one account.
        try db.execute(sql: "UPDATE authorization_code SET is_used = 1")
        try db.execute(sql: "UPDATE account SET sign_out_count = sign_out_count + 1")
    }

    private static let sessionColumns = """
        SELECT s.session_id, s.client_id, s.authenticated_at, s.started_at, s.last_used_at,
          s.ended_at, a.*
        FROM session AS s JOIN account AS a USING (account_id)
        """

    static func session(_ id: String, _ db: Database) throws -> Session? {
        let sql = sessionColumns + " WHERE s.session_id = ?"
        return try IdentityRow.fetchOne(db, sql: sql, arguments: [id]).map(Self.read)
    }

    /// The sessions of an account that were not ended; sessions that are over for another reason
    /// are among them.
    static func openSessions(of accountID: Int64, _ db: Database) throws -> [Session] {
        let sql = sessionColumns + " WHERE s.account_id = ? AND s.ended_at IS NULL"
        return try IdentityRow.fetchAll(db, sql: sql, arguments: [accountID]).map(Self.read)
    }

    private static func read(_ row: IdentityRow) throws -> Session {
        try Session(
            id: row["session_id"],
            account: account(row),
            clientID: row["client_id"],
            authenticatedAt: row["authenticated_at"],
            startedAt: row["started_at"],
            lastUsedAt: row["last_used_at"],
            hasEnded: (row["ended_at"] as Int64?) != nil
        )
    }
}

/// An open session, as its owner sees it.
public struct OpenSession: Sendable, Hashable {
    /// The handle with which its owner ends it: a keyed hash, because the session's id is in
    /// tokens.
    public let handle: String
    /// The client it belongs to.
    public let clientID: String
    /// When it began, in seconds of UTC.
    public let startedAt: Int64
    /// When it was used last, as far as this process knows.
    public let lastUsedAt: Int64
    /// Whether it is the one of the browser that shows it.
    public let isHere: Bool
}

/// The lifetimes of sessions, codes and tokens, in seconds.
public struct SessionLimits: Sendable {
    /// From a sign-in until its code must be redeemed; RFC 6749 allows ten minutes.
    public var code: Int64 = 60
    /// The lifetime of an access token, which limits what a stolen one is worth.
    public var accessToken: Int64 = 600
    /// The longest lifetime accepted for an external issuer's access token, whose withdrawal this
    /// server cannot know of.
    static let externalToken: Int64 = 900
    /// The time without a request after which a session is over: ten minutes, and thirty seconds in
    /// which a dashboard asks whether the user is still there.
    public var idle: Int64 = 630
    /// The longest duration of a session, whatever its use.
    public var session: Int64 = 12 * 3600
    /// The time in which a replaced refresh token may be used again, because several requests at
    /// once are not a theft.
    public var grace: Int64 = 20
    /// The time within which a change of a session by another process is noticed.
    public var cacheTime: Int64 = 5
    /// The time after which ended sessions are deleted.
    public var retention: Int64 = 30 * 24 * 3600

    /// The default lifetimes.
    public init() {}
}
