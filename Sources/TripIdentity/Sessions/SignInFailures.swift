import Crypto
import GRDB

/// How often in a row somebody failed to sign in as a name, and what follows.
///
/// Ten failures are free; from then on the name is closed after each, for twice as long as before, and
/// after a hundred in a row until its password is set anew (NIST SP 800-63B-4, 3.2.2). Names that nobody
/// has are counted alike, so that nothing tells them apart.
enum SignInFailures {
    static let freeCount = 10
    static let countMax = 100
    private static let closingMax: Int64 = 900
    /// Names with some failures, kept at most; those that are slowed down are kept all.
    private static let countedMax = 100_000

    /// How long a name is closed after so many failures, in seconds.
    static func closing(after count: Int) -> Int64 {
        if count >= countMax { return 100 * 365 * 24 * 3600 }
        if count < freeCount { return 0 }
        return min(1 << min(Int64(count - freeCount), 20), closingMax)
    }

    /// Counts an attempt as failed before it is looked at: attempts at once cannot outrun the count.
    ///
    /// - Returns: For how many seconds the name is still closed, in which case nothing is counted; nil
    ///   where it may be tried.
    static func begin(_ mark: String, _ now: Int64, _ db: Database) throws -> Int64? {
        let row = try IdentityRow.fetchOne(
            db,
            sql: "SELECT failure_count, closed_until FROM sign_in_failure WHERE name_mark = ?",
            arguments: [mark]
        )
        let count = try row.map { try $0["failure_count"] as Int } ?? 0
        let closedUntil = try row.map { try $0["closed_until"] as Int64 } ?? 0
        guard closedUntil <= now else { return closedUntil - now }
        try db.execute(
            sql: """
                INSERT INTO sign_in_failure VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                  failure_count = excluded.failure_count, last_at = excluded.last_at,
                  closed_until = excluded.closed_until
                """,
            arguments: [mark, count + 1, now, now + closing(after: count + 1)]
        )
        if count == 0 { try prune(db) }
        return nil
    }

    /// Forgets the failures of a name.
    static func forget(_ mark: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM sign_in_failure WHERE name_mark = ?",
            arguments: [mark]
        )
    }

    /// Forgets the oldest of those with few failures, where there are too many.
    ///
    /// Whether somebody has a name makes no difference here either: what is forgotten must not tell.
    private static func prune(_ db: Database) throws {
        let few = "failure_count < \(freeCount)"
        let count =
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sign_in_failure WHERE " + few) ?? 0
        guard count > countedMax else { return }
        try db.execute(
            sql: """
                DELETE FROM sign_in_failure WHERE name_mark IN (
                  SELECT name_mark FROM sign_in_failure WHERE \(few) ORDER BY last_at LIMIT ?)
                """,
            arguments: [count - countedMax]
        )
    }
}
