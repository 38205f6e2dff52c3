import GRDB

extension IdentityStore {
    /// For how many seconds a way to a new password is open.
    static let resetLifetime: Int64 = 1800
    /// Between two letters, and from some in a day on: nobody fills another's letter box, or keeps its owner out.
    private static let resetInterval: Int64 = 300
    private static let laterResetInterval: Int64 = 3600
    static let quickResetCountMax = 12
    private static let day: Int64 = 86_400
    /// Names and links at most: of more, the oldest are forgotten, whoever has the name.
    private static let resetsKept = 100_000

    /// Opens a way to a new password; those before stay open, so that nobody closes another's.
    ///
    /// - Parameters:
    ///   - mark: The name that was asked for, as it is kept beside its failures.
    ///   - account: Whose it is; nil where it is nobody's, for which the same is written.
    ///   - token: What opens the way.
    ///   - now: The time.
    /// - Returns: Whether it was opened; not where a letter went out a moment ago, or within an hour where many did this day.
    /// - Throws: ``IdentityFault`` of the store.
    func beginReset(
        _ mark: String,
        of account: Int64?,
        token: String,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { db in
            try db.execute(
                sql: "DELETE FROM password_reset WHERE asked_at <= ?",
                arguments: [now - Self.resetLifetime]
            )
            try db.execute(
                sql: "DELETE FROM password_reset_ask WHERE day_began_at <= ?",
                arguments: [now - Self.day]
            )
            let row = try IdentityRow.fetchOne(
                db,
                sql: "SELECT * FROM password_reset_ask WHERE name_mark = ?",
                arguments: [mark]
            )
            var (began, count) = (now, 0)
            if let row {
                began = try row["day_began_at"]
                count = try row["count"]
                let askedAt: Int64 = try row["asked_at"]
                let interval =
                    count < Self.quickResetCountMax ? Self.resetInterval : Self.laterResetInterval
                if now - askedAt < interval { return false }
            }
            try Self.forgetOldest("password_reset_ask", "name_mark", "day_began_at", db)
            try Self.forgetOldest("password_reset", "token_mark", "asked_at", db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO password_reset_ask VALUES (?, ?, ?, ?)",
                arguments: [mark, now, began, count + 1]
            )
            try db.execute(
                sql: "INSERT INTO password_reset VALUES (?, ?, ?)",
                arguments: [RandomText.mark(token), account, now]
            )
            return true
        }
    }

    /// Makes room for one more row.
    private static func forgetOldest(
        _ table: String,
        _ key: String,
        _ age: String,
        _ db: Database
    ) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        guard count >= resetsKept else { return }
        try db.execute(
            sql: """
                DELETE FROM \(table)
                WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY \(age) LIMIT ?)
                """,
            arguments: [count - resetsKept + 1]
        )
    }

    /// Whose new password a way leads to; nil where it is not open.
    func resetAccount(_ token: String, now: Int64) async throws(IdentityFault) -> Account? {
        try await looking { try Self.resetAccount(token, now, $0) }
    }

    static func resetAccount(_ token: String, _ now: Int64, _ db: Database) throws -> Account? {
        try IdentityRow.fetchOne(
            db,
            sql: """
                SELECT a.* FROM password_reset AS r JOIN account AS a USING (account_id)
                WHERE r.token_mark = ? AND r.asked_at > ? AND NOT a.is_disabled
                """,
            arguments: [RandomText.mark(token), now - resetLifetime]
        ).map(account)
    }

    /// Closes every way to a new password of an account.
    static func closeResets(of account: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM password_reset WHERE account_id = ?",
            arguments: [account]
        )
    }
}
