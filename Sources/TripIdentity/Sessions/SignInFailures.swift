import Crypto
import GRDB

/// Counts the failed sign-ins in a row of each name, and closes the name for a time.
///
/// Ten failures are free. From then on each failure closes the name for twice as long as the one
/// before, and after a hundred in a row it stays closed until its password is set again (NIST SP
/// 800-63B-4, 3.2.2). Unknown names are counted in the same way, so that they cannot be
/// distinguished.
enum SignInFailures {
    static let freeCount = 10
    static let countMax = 100
    private static let closingMax: Int64 = 900
    /// The most names kept with few failures; all names that are closed for a time are kept.
    private static let countedMax = 100_000

    /// For how long a name is closed after so many failures, in seconds.
    static func closing(after count: Int) -> Int64 {
        if count >= countMax { return 100 * 365 * 24 * 3600 }
        if count < freeCount { return 0 }
        return min(1 << min(Int64(count - freeCount), 20), closingMax)
    }

    /// Counts an attempt as failed before it is checked, so that attempts at once cannot outrun the
    /// count.
    ///
    /// - Returns: For how many seconds the name is still closed, in which case nothing is counted;
    ///   nil where the attempt is allowed.
    static func begin(_ mark: String, _ now: Int64, _ db: Database) throws -> Int64? {
        let row = try IdentityRow.fetchOne(
            db,
            sql: "SELECT failure_count, closed_until FROM sign_in_failure WHERE name_mark = ?",
            arguments: [mark]
        )
        let count = try row.map { try $0["failure_count"] as Int } ?? 0
        let closedUntil = try row.map { try $0["closed_until"] as Int64 } ?? 0
        guard closedUntil <= now else { return closedUntil - now }
        let closing = closing(after: count + 1)
        // The second that runs counts as none: a closed name stays so for all of its time.
        let opensAt = closing == 0 ? now : now + 1 + closing
        try db.execute(
            sql: """
                INSERT INTO sign_in_failure VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                  failure_count = excluded.failure_count, last_at = excluded.last_at,
                  closed_until = excluded.closed_until
                """,
            arguments: [mark, count + 1, now, opensAt]
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

    /// Deletes the oldest of the names with few failures, where there are too many.
    ///
    /// Known and unknown names are treated alike, so that a deletion shows nothing.
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
