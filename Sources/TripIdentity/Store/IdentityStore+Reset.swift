import GRDB

extension IdentityStore {
    /// For how many seconds a way to a new password is open.
    static let resetLifetime: Int64 = 1800
    /// Between two letters, and of them in a day: nobody fills another's letter box.
    private static let resetInterval: Int64 = 300
    private static let resetCountMax = 5
    private static let day: Int64 = 86_400

    /// Opens a way to a new password; the one before is closed.
    ///
    /// - Returns: Whether it was opened; not where letters went out a moment ago or many this day.
    func beginReset(
        of account: Int64,
        token: String,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT * FROM password_reset WHERE account_id = ?",
                arguments: [account]
            )
            var began: Int64 = row?["day_began_at"] ?? now
            var count: Int = row?["asked_count"] ?? 0
            if now - began >= Self.day { (began, count) = (now, 0) }
            let isSoon = row.map { now - ($0["asked_at"] as Int64) < Self.resetInterval } ?? false
            guard !isSoon, count < Self.resetCountMax else { return false }
            try db.execute(
                sql: "INSERT OR REPLACE INTO password_reset VALUES (?, ?, ?, ?, ?)",
                arguments: [account, RandomText.mark(token), now, began, count + 1]
            )
            return true
        }
    }

    /// Whose new password a way leads to; nil where it is not open.
    func resetAccount(_ token: String, now: Int64) async throws(IdentityFault) -> Account? {
        try await looking { try Self.resetAccount(token, now, $0) }
    }

    /// Sets the password that a way leads to, ends the account's sessions and closes the way.
    ///
    /// - Returns: Whether it was open.
    func finishReset(
        _ token: String,
        _ hash: PasswordHash,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { db in
            guard let account = try Self.resetAccount(token, now, db) else { return false }
            try Self.setPassword(hash, of: account.id, now, db)
            return true
        }
    }

    private static func resetAccount(
        _ token: String,
        _ now: Int64,
        _ db: Database
    ) throws -> Account? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT a.* FROM password_reset AS r JOIN account AS a USING (account_id)
                WHERE r.token_mark = ? AND r.asked_at > ? AND NOT a.is_disabled
                """,
            arguments: [RandomText.mark(token), now - resetLifetime]
        ).map(account)
    }
}
