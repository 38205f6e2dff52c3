import FoundationEssentials
import GRDB

extension IdentityStore {
    /// A passkey with the values needed to check its signatures.
    struct KnownPasskey: Sendable {
        let account: Account
        /// Its public key, as CBOR.
        let cose: [UInt8]
        /// How often in a row a sign-in with it failed.
        let failureCount: Int
    }

    /// The passkeys of an account, the oldest first.
    func passkeys(of account: Int64) async throws(IdentityFault) -> [Passkey] {
        try await reading { db in
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

    /// The passkey of an id; nil where no account has it.
    func passkey(_ id: String) async throws(IdentityFault) -> KnownPasskey? {
        try await reading { db in
            let sql =
                "SELECT p.public_key, p.failure_count, a.* "
                + "FROM passkey AS p JOIN account AS a USING (account_id)"
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

    /// Whether a passkey may be added: the proof of the sign-in is still valid, no account has the
    /// passkey, its challenge was not used, and the account has fewer than the maximum.
    static func mayAdd(
        _ id: String,
        _ challenge: (text: String, end: Int64),
        for owner: AuthenticationService.SignedIn,
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
        _ credential: AuthenticatorData.Credential,
        _ challenge: (text: String, end: Int64),
        to account: Int64,
        _ now: Int64,
        _ db: Database
    ) throws {
        _ = try use(challenge, now, db)
        try db.execute(
            sql: "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL, 0)",
            arguments: [
                Base64URL.text(credential.credentialID), account, Data(credential.cose),
                data.signCount, data.mayBeSynced, now,
            ]
        )
    }

    /// The most passkeys of one account.
    private static let passkeyCountMax = 20

    /// Stores the use of a passkey.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - signCount: Its signature counter.
    ///   - challenge: The challenge it signed, and when that expires.
    ///   - now: The time.
    /// - Returns: Whether the challenge was not signed before, and the counter, where there is one,
    ///   increased; otherwise there may be a copy of the passkey.
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

    /// Counts a failed sign-in with a passkey.
    func notePasskeyFailure(_ id: String) async throws(IdentityFault) {
        try await changing { db in
            try db.execute(
                sql: "UPDATE passkey SET failure_count = failure_count + 1 WHERE passkey_id = ?",
                arguments: [id]
            )
        }
    }

    /// Resets the failures of an account's passkeys, because its owner knew the password.
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

    /// Whether a passkey belongs to an account.
    static func has(_ id: String, account: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM passkey WHERE passkey_id = ? AND account_id = ?)",
            arguments: [id, account]
        ) ?? false
    }

    /// Removes a passkey of an account, whose sessions end, because one may have begun with it.
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

    /// Marks a challenge as used; false where it was used before.
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
