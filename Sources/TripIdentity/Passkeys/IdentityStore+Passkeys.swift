import FoundationEssentials
import GRDB

extension IdentityStore {
    /// A passkey with what it takes to check its signatures.
    struct KnownPasskey: Sendable {
        let account: Account
        /// Its public key, as CBOR.
        let cose: [UInt8]
    }

    /// The passkeys of an account, the oldest first.
    func passkeys(of account: Int64) async throws(IdentityFault) -> [Passkey] {
        try await looking { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM passkey WHERE account_id = ? ORDER BY created_at, passkey_id",
                arguments: [account]
            ).map { row in
                Passkey(
                    id: row["passkey_id"],
                    isSynced: row["is_synced"],
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
                "SELECT p.public_key, a.* FROM passkey AS p JOIN account AS a USING (account_id)"
            return try Row.fetchOne(db, sql: sql + " WHERE passkey_id = ?", arguments: [id])
                .map { row in
                    KnownPasskey(
                        account: try Self.account(row),
                        cose: [UInt8](row["public_key"] as Data)
                    )
                }
        }
    }

    /// Adds a passkey to the account of somebody who has just signed in.
    ///
    /// - Parameters:
    ///   - data: What its authenticator says.
    ///   - made: The passkey.
    ///   - challenge: What it was made for, and until when that was good.
    ///   - owner: Who signed in.
    ///   - now: The time.
    /// - Returns: Whether it was added; not where somebody has it, the challenge was used, the account has many, or
    ///   has not what its owner signed in with any more.
    /// - Throws: ``IdentityFault`` of the store.
    func add(
        _ data: AuthenticatorData,
        _ made: AuthenticatorData.Made,
        challenge: (text: String, end: Int64),
        for owner: Authority.SignedIn,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        let id = Base64URL.text(made.credentialID)
        return try await changing { db in
            guard try Self.holds(owner, db), try Self.use(challenge, now, db) else { return false }
            let hasRoom = try Bool.fetchOne(
                db,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM passkey WHERE passkey_id = ?)
                      AND (SELECT count(*) FROM passkey WHERE account_id = ?) < ?
                    """,
                arguments: [id, owner.account.id, Self.passkeyCountMax]
            )
            guard hasRoom == true else { return false }
            try db.execute(
                sql: "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL)",
                arguments: [
                    id, owner.account.id, Data(made.cose), data.signCount, data.isSynced, now,
                ]
            )
            return true
        }
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
                    UPDATE passkey SET sign_count = ?1, last_used_at = ?2
                    WHERE passkey_id = ?3 AND (?1 > sign_count OR (?1 = 0 AND sign_count = 0))
                    """,
                arguments: [signCount, now, id]
            )
            return db.changesCount == 1
        }
    }

    /// Removes a passkey of an account; nothing where it has none of the name.
    ///
    /// - Returns: Whether there was one.
    func removePasskey(_ id: String, of account: Int64) async throws(IdentityFault) -> Bool {
        try await changing { db in
            try db.execute(
                sql: "DELETE FROM passkey WHERE passkey_id = ? AND account_id = ?",
                arguments: [id, account]
            )
            return db.changesCount == 1
        }
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
