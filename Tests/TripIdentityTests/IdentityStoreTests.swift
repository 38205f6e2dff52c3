import GRDB
import Testing

@testable import TripIdentity

@Suite struct IdentityStoreTests {
    /// The accounts of the first layout go on as they are, and get what later ones brought.
    @Test func accountsOfAnEarlierLayoutGoOn() async throws {
        let under = try await AuthorityUnderTest()
        try await under.add("someone")
        let grant = try await under.grant("someone")
        let earlier = try DatabaseQueue(path: under.folder.accountsPath)
        try await earlier.write { db in
            for table in ["passkey", "used_challenge", "password_reset"] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        try earlier.close()
        let later = try await under.otherProcess()
        #expect(try await later.session(of: grant.accessToken) != nil)
        let account = try #require(try await later.accounts().first)
        #expect(try await later.passkeys(of: account) == [])
        let opened = try DatabaseQueue(path: under.folder.accountsPath)
        let version = try await opened.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == IdentitySchema.layouts.count)
        // Nothing of an earlier layout is missing, and nothing is there twice.
        let fresh = try await AuthorityUnderTest()
        let expected = try DatabaseQueue(path: fresh.folder.accountsPath)
        func schema(_ queue: DatabaseQueue) async throws -> [String] {
            try await queue.read {
                try String.fetchAll(
                    $0,
                    sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY sql"
                )
            }
        }
        #expect(try await schema(opened) == schema(expected))
    }

    @Test func accountsOfALaterLayoutAreRefused() async throws {
        let under = try await AuthorityUnderTest()
        let later = IdentitySchema.layouts.count + 1
        let opened = try DatabaseQueue(path: under.folder.accountsPath)
        try await opened.write { try $0.execute(sql: "PRAGMA user_version = \(later)") }
        await #expect(throws: IdentityFault.laterVersion(later)) {
            _ = try await under.otherProcess()
        }
    }
}
