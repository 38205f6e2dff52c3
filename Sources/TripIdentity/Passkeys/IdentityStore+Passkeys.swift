import FoundationEssentials
import GRDB

extension IdentityStore {
    /// A passkey with what it takes to check its signatures.
    struct KnownPasskey: Sendable {
        let account: Account
        /// Its public key, as CBOR.
        let cose: [UInt8]
        /// How often in a row it did not sign somebody in.
        let failureCount: Int
    }

    /// The passkeys of an account, the oldest first.
    func passkeys(of account: Int64) async throws(IdentityFault) -> [Passkey] {
        try await looking { db in
            try IdentityRow.fetchAll(
                db,
                sql: "SELECT * FROM passkey WHERE account_id = ? ORDER BY created_at, passkey_id",
                arguments: [account]
            ).map { row in
                try Passkey(
                    id: row["passkey_id"],
                    mayBeSynced: row["may_be_synced"],
                    createdAt: row["created_at"],
                    lastUsedAt: row["last_used_at"]
                )
            }
        }
    }

    /// The passkey of a name; nil where nobody has it.
    func passkey(_ id: String) async throws(IdentityFault) -> KnownPasskey? {
        try await looking { db in
            let sql =
                "SELECT p.public_key, p.failure_count, a.* FROM passkey AS p JOIN account AS a USING (account_id)"
            return try IdentityRow.fetchOne(db, sql: sql + " WHERE passkey_id = ?", arguments: [id])
                .map { row in
                    try KnownPasskey(
                        account: Self.account(row),
                        cose: row["public_key"],
                        failureCount: row["failure_count"]
                    )
                }
        }
    }

    /// Whether a passkey may be added: its owner has still what they signed in with, nobody has the passkey, its challenge
    /// was not used, and the account has not many.
    static func mayAdd(
        _ id: String,
        _ challenge: (text: String, end: Int64),
        for owner: Authority.SignedIn,
        _ db: Database
    ) throws -> Bool {
        guard try holds(owner, db) else { return false }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM passkey WHERE passkey_id = ?)
                  AND NOT EXISTS (SELECT 1 FROM used_challenge WHERE challenge_mark = ?)
                  AND (SELECT count(*) FROM passkey WHERE account_id = ?) < ?
                """,
            arguments: [
                id, RandomText.mark(challenge.text), owner.account.id, passkeyCountMax,
            ]
        ) ?? false
    }

    /// Adds a passkey that may be added.
    static func add(
        _ data: AuthenticatorData,
        _ made: AuthenticatorData.Made,
        _ challenge: (text: String, end: Int64),
        to account: Int64,
        _ now: Int64,
        _ db: Database
    ) throws {
        _ = try use(challenge, now, db)
        try db.execute(
            sql: "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL, 0)",
            arguments: [
                Base64URL.text(made.credentialID), account, Data(made.cose), data.signCount,
                data.mayBeSynced, now,
            ]
        )
    }

    /// As many as somebody may have devices.
    private static let passkeyCountMax = 20

    /// Notes that a passkey signed something.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - signCount: How often it has signed, as it says.
    ///   - challenge: What it signed, and until when that was good.
    ///   - now: The time.
    /// - Returns: Whether the signature is the first of the challenge, and the count moved on where there is one: else
    ///   somebody has a copy of the passkey.
    /// - Throws: ``IdentityFault`` of the store.
    func usePasskey(
        _ id: String,
        signCount: Int64,
        challenge: (text: String, end: Int64),
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { db in
            guard try Self.use(challenge, now, db) else { return false }
            try db.execute(
                sql: """
                    UPDATE passkey SET sign_count = ?1, last_used_at = ?2, failure_count = 0
                    WHERE passkey_id = ?3 AND (?1 > sign_count OR (?1 = 0 AND sign_count = 0))
                    """,
                arguments: [signCount, now, id]
            )
            return db.changesCount == 1
        }
    }

    /// Notes that a passkey did not sign somebody in.
    func notePasskeyFailure(_ id: String) async throws(IdentityFault) {
        try await changing { db in
            try db.execute(
                sql: "UPDATE passkey SET failure_count = failure_count + 1 WHERE passkey_id = ?",
                arguments: [id]
            )
        }
    }

    /// Forgets what an account's passkeys failed at: its owner knew the password.
    static func forgetPasskeyFailures(of account: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE passkey SET failure_count = 0 WHERE account_id = ? AND failure_count > 0",
            arguments: [account]
        )
    }

    /// Whether an account has any passkey.
    static func hasPasskey(_ account: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM passkey WHERE account_id = ?)",
            arguments: [account]
        ) ?? false
    }

    /// Whether a passkey is of an account.
    static func has(_ id: String, account: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM passkey WHERE passkey_id = ? AND account_id = ?)",
            arguments: [id, account]
        ) ?? false
    }

    /// Removes a passkey of an account, whose sessions end: what began with it goes on nowhere.
    static func removePasskey(
        _ id: String,
        of account: Int64,
        _ now: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM passkey WHERE passkey_id = ? AND account_id = ?",
            arguments: [id, account]
        )
        try endSessions(of: account, .passkeyRemoved, now, db)
    }

    /// Removes all passkeys of an account.
    static func removePasskeys(of account: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM passkey WHERE account_id = ?", arguments: [account])
    }

    /// Uses a challenge up; false where it was used before.
    private static func use(
        _ challenge: (text: String, end: Int64),
        _ now: Int64,
        _ db: Database
    ) throws -> Bool {
        try db.execute(sql: "DELETE FROM used_challenge WHERE expires_at < ?", arguments: [now])
        try db.execute(
            sql: "INSERT OR IGNORE INTO used_challenge VALUES (?, ?)",
            arguments: [RandomText.mark(challenge.text), challenge.end]
        )
        return db.changesCount == 1
    }
}
