import Crypto
import GRDB

/// The refresh tokens of a session: each is valid for one use, and replaced by the next (RFC 9700
/// §4.14.2).
///
/// The next token is derived from the one before it and a secret of the server. Where the same
/// token is used twice at once, both uses get the same next token, and no client is locked out.
/// Where it is used again later, one of the two users is not the client that it was issued to, and
/// the session ends.
enum RefreshToken {
    /// The token that follows another.
    static func next(after token: String, secret: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("refresh \(token)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }

    /// The outcome of using a refresh token.
    enum Outcome: Sendable {
        /// The session goes on, with a token that was not replaced yet.
        case next(Session, String)
        /// The token was used again: the session has ended.
        case reused(Session)
        /// The token is unknown, or its session is over.
        case refused
    }
}

extension IdentityStore {
    /// Replaces a refresh token by the one after it.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clientID: The client that uses it.
    ///   - now: The time.
    ///   - limits: The lifetimes of sessions, codes and tokens.
    ///   - next: Derives the token after a token.
    /// - Returns: The outcome.
    /// - Throws: ``IdentityFault`` of the store.
    func replace(
        _ token: String,
        clientID: String,
        now: Int64,
        _ limits: SessionLimits,
        next: @escaping @Sendable (String) -> String
    ) async throws(IdentityFault) -> RefreshToken.Outcome {
        let mark = RandomText.mark(token)
        return try await changing { db in
            let sql = "SELECT session_id, replaced_at FROM refresh_token WHERE token_mark = ?"
            guard let row = try IdentityRow.fetchOne(db, sql: sql, arguments: [mark]),
                let session = try Self.session(row["session_id"], db)
            else { return .refused }
            guard !session.hasEnded, session.clientID == clientID else { return .refused }
            if let reason = session.end(at: now, limits) {
                try Self.end(session.id, reason, now, db)
                return .refused
            }
            if let replacedAt = try row["replaced_at"] as Int64? {
                if now - replacedAt <= limits.grace {
                    return .next(session, try Self.lastToken(after: token, next, db))
                }
                try Self.end(session.id, .refreshTokenReused, now, db)
                return .reused(session)
            }
            try db.execute(
                sql: "UPDATE refresh_token SET replaced_at = ? WHERE token_mark = ?",
                arguments: [now, mark]
            )
            let successor = next(token)
            try Self.keep(successor, of: session.id, now, db)
            try db.execute(
                sql: "UPDATE session SET last_used_at = max(last_used_at, ?) WHERE session_id = ?",
                arguments: [now, session.id]
            )
            return .next(session, successor)
        }
    }

    /// The first token after another that was not replaced yet, for a client with several requests
    /// at once.
    private static func lastToken(
        after token: String,
        _ next: (String) -> String,
        _ db: Database
    ) throws -> String {
        let sql = "SELECT replaced_at IS NOT NULL FROM refresh_token WHERE token_mark = ?"
        var token = next(token)
        while try Bool.fetchOne(db, sql: sql, arguments: [RandomText.mark(token)]) ?? false {
            token = next(token)
        }
        return token
    }

    /// The session a refresh token belongs to; nil where the token is unknown.
    func session(ofRefreshToken token: String) async throws(IdentityFault) -> Session? {
        let mark = RandomText.mark(token)
        return try await reading { db in
            let sql = "SELECT session_id FROM refresh_token WHERE token_mark = ?"
            return try IdentityRow.fetchOne(db, sql: sql, arguments: [mark])
                .flatMap { try Self.session($0["session_id"], db) }
        }
    }

    static func keep(_ token: String, of sessionID: String, _ now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO refresh_token (token_mark, session_id, issued_at) VALUES (?, ?, ?)",
            arguments: [RandomText.mark(token), sessionID, now]
        )
    }
}
