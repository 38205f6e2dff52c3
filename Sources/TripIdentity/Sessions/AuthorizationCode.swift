import Crypto
import GRDB

/// A client's request that a person signs in (RFC 6749 §4.1.1, RFC 7636 §4.3).
public struct AuthorizationRequest: Sendable, Hashable {
    /// The client.
    public let clientID: String
    /// The address that the code is sent to.
    public let redirectURI: String
    /// SHA-256 of a secret of the client, as base64url.
    public let challenge: String

    /// Makes a request; nil where the challenge is not the base64url of 32 bytes.
    public init?(clientID: String, redirectURI: String, challenge: String) {
        guard Base64URL.bytes(challenge)?.count == 32 else { return nil }
        (self.clientID, self.redirectURI) = (clientID, redirectURI)
        self.challenge = challenge
    }
}

/// A client's request for its first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
public struct CodeRedemption: Sendable {
    let code: String
    let clientID: String
    let redirectURI: String
    let verifier: String

    /// Makes a request from a code and the proof that it belongs to the client.
    public init(code: String, clientID: String, redirectURI: String, verifier: String) {
        (self.code, self.clientID) = (code, clientID)
        (self.redirectURI, self.verifier) = (redirectURI, verifier)
    }

    /// Whether the verifier belongs to a challenge, and is long enough to be a secret.
    func answers(_ challenge: String) -> Bool {
        let bytes = Array(verifier.utf8)
        let marks = Array("-._~".utf8)
        let isPlain = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: marks.contains(byte)
            }
        }
        return (43...128).contains(bytes.count) && isPlain
            && Base64URL.text(SHA256.hash(data: bytes)) == challenge
    }
}

extension IdentityStore {
    /// Stores a code for a person who has just signed in.
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - signedIn: The sign-in.
    ///   - now: The time.
    ///   - limits: The lifetimes of sessions, codes and tokens.
    /// - Returns: The code; nil where the proof of the sign-in is gone or the account is disabled.
    /// - Throws: ``IdentityFault`` of the store.
    func makeCode(
        _ request: AuthorizationRequest,
        for signedIn: AuthenticationService.SignedIn,
        now: Int64,
        _ limits: SessionLimits
    ) async throws(IdentityFault) -> String? {
        let code = RandomText.secret()
        let account = signedIn.account
        return try await changing { db in
            guard try Self.holds(signedIn, db) else { return nil }
            try db.execute(
                sql: "DELETE FROM authorization_code WHERE expires_at < ?",
                arguments: [now - limits.retention]
            )
            try db.execute(
                sql: """
                    INSERT INTO authorization_code
                      (code_mark, account_id, client_id, redirect_uri, challenge,
                       authenticated_at, expires_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    RandomText.mark(code), account.id, request.clientID, request.redirectURI,
                    request.challenge, now, now + limits.code,
                ]
            )
            return code
        }
    }

    /// Whether the proof of a sign-in is still valid, and the account's sessions were not all ended
    /// since.
    static func holds(_ signedIn: AuthenticationService.SignedIn, _ db: Database) throws -> Bool {
        let (condition, value) =
            switch signedIn.proof {
            case .password(let hash): ("password = ?", hash.text)
            case .passkey(let id):
                (
                    "EXISTS (SELECT 1 FROM passkey AS p WHERE p.account_id = account.account_id "
                        + "AND passkey_id = ?)",
                    id
                )
            }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM account
                  WHERE account_id = ? AND sign_out_count = ? AND is_disabled = 0 AND \(condition))
                """,
            arguments: [signedIn.account.id, signedIn.account.signOutCount, value]
        ) ?? false
    }

    /// The outcome of redeeming a code.
    enum RedemptionOutcome: Sendable {
        /// A session has begun.
        case begun(Session)
        /// The code was used again: the session that began with it has ended.
        case ended(sessionID: String)
        /// The code is not valid.
        case refused
    }

    /// Redeems a code, once, and begins a session.
    ///
    /// - Parameters:
    ///   - redemption: The code, and the proof that it belongs to the client.
    ///   - refreshToken: The session's first refresh token.
    ///   - now: The time.
    ///   - limits: The lifetimes of sessions, codes and tokens.
    /// - Returns: The outcome. A code that is used again ends the session that began with it.
    /// - Throws: ``IdentityFault`` of the store.
    func redeem(
        _ redemption: CodeRedemption,
        refreshToken: String,
        now: Int64,
        _ limits: SessionLimits
    ) async throws(IdentityFault) -> RedemptionOutcome {
        let mark = RandomText.mark(redemption.code)
        return try await changing { db in
            let sql = "SELECT * FROM authorization_code WHERE code_mark = ?"
            guard let row = try IdentityRow.fetchOne(db, sql: sql, arguments: [mark]) else {
                return .refused
            }
            if try row["is_used"] {
                guard let id: String = try row["session_id"] else { return .refused }
                try Self.end(id, .codeReused, now, db)
                return .ended(sessionID: id)
            }
            let isGood =
                try now < row["expires_at"] && redemption.clientID == row["client_id"]
                && redemption.redirectURI == row["redirect_uri"]
                && redemption.answers(row["challenge"])
            let id = isGood ? RandomText.identifier() : nil
            // A wrong proof uses the code up, so that an attacker has one attempt.
            try db.execute(
                sql:
                    "UPDATE authorization_code SET is_used = 1, session_id = ? WHERE code_mark = ?",
                arguments: [id, mark]
            )
            guard let id else { return .refused }
            try Self.beginSession(id, row, now, limits, db)
            try Self.keep(refreshToken, of: id, now, db)
            guard let session = try Self.session(id, db), !session.account.isDisabled else {
                return .refused
            }
            return .begun(session)
        }
    }

    private static func beginSession(
        _ id: String,
        _ code: IdentityRow,
        _ now: Int64,
        _ limits: SessionLimits,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM session WHERE started_at < ?",
            arguments: [now - limits.retention]
        )
        let (account, client): (Int64, String) = (try code["account_id"], try code["client_id"])
        let authenticatedAt: Int64 = try code["authenticated_at"]
        try db.execute(
            sql: """
                INSERT INTO session
                  (session_id, account_id, client_id, authenticated_at, started_at, last_used_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [id, account, client, authenticatedAt, now, now]
        )
    }
}
