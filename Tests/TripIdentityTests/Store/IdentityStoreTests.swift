import Foundation
import GRDB
import Testing

@testable import TripIdentity

@Suite struct IdentityStoreTests {
    private static let firstLayout = """
        -- One row per account; the number is never given twice.
        CREATE TABLE account (
          account_id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL UNIQUE,
          email TEXT,
          password TEXT,                    -- $scrypt$ln=…$salt$hash; NULL: none yet
          roles TEXT NOT NULL,              -- words, separated by spaces
          regions TEXT,                     -- one a line; NULL: all
          sees_national_totals INTEGER NOT NULL,
          is_disabled INTEGER NOT NULL DEFAULT 0,
          created_at INTEGER NOT NULL       -- seconds of UTC, as all times here
        ) STRICT;

        -- One row per name somebody failed to sign in as, whether there is an account of it or not.
        CREATE TABLE sign_in_failure (
          name_mark TEXT PRIMARY KEY,       -- HMAC of the name: people type passwords there
          failure_count INTEGER NOT NULL,   -- in a row
          last_at INTEGER NOT NULL,
          closed_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- For forgetting the oldest.
        CREATE INDEX sign_in_failure_by_age ON sign_in_failure (failure_count, last_at);

        -- One row per sign-in from which tokens came.
        CREATE TABLE session (
          session_id TEXT PRIMARY KEY,
          account_id INTEGER NOT NULL REFERENCES account,
          client_id TEXT NOT NULL,
          authenticated_at INTEGER NOT NULL,
          started_at INTEGER NOT NULL,
          last_used_at INTEGER NOT NULL,
          ended_at INTEGER,
          end_reason TEXT
        ) STRICT, WITHOUT ROWID;
        -- For disabling an account.
        CREATE INDEX session_of_account ON session (account_id) WHERE ended_at IS NULL;

        -- One row per code that a sign-in gave to a client; good for one use within a minute.
        CREATE TABLE authorization_code (
          code_mark TEXT PRIMARY KEY,       -- SHA-256
          account_id INTEGER NOT NULL REFERENCES account,
          client_id TEXT NOT NULL,
          redirect_uri TEXT NOT NULL,
          challenge TEXT NOT NULL,
          authenticated_at INTEGER NOT NULL,
          expires_at INTEGER NOT NULL,
          is_used INTEGER NOT NULL DEFAULT 0,
          session_id TEXT                   -- what came of it
        ) STRICT, WITHOUT ROWID;

        -- One row per refresh token; each is replaced where it is used.
        CREATE TABLE refresh_token (
          token_mark TEXT PRIMARY KEY,      -- SHA-256
          session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          issued_at INTEGER NOT NULL,
          replaced_at INTEGER
        ) STRICT, WITHOUT ROWID;
        -- For forgetting sessions of long ago.
        CREATE INDEX refresh_token_of_session ON refresh_token (session_id);
        """

    /// Accounts of the first layout stay as they are, and get the additions of later layouts.
    @Test func accountsOfAnEarlierLayoutAreMigrated() async throws {
        let under = try await AuthenticationServiceUnderTest()
        try await under.add("someone")
        let grant = try await under.grant("someone")
        // The same accounts as a file of the first layout, whose SQL is kept here as it was.
        let path = under.folder.accountsPath
        try FileManager.default.moveItem(atPath: path, toPath: path + ".now")
        let earlier = try DatabaseQueue(path: path)
        try await earlier.writeWithoutTransaction { db in
            try db.execute(sql: Self.firstLayout)
            try db.execute(sql: "ATTACH ? AS now", arguments: [path + ".now"])
            for table in ["account", "session", "refresh_token"] {
                // Columns that a later layout added come last.
                let columns = try db.columns(in: table, in: "main").map(\.name)
                    .joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) SELECT \(columns) FROM now.\(table)"
                )
            }
            try db.execute(sql: "DETACH now")
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
        // No table of an earlier layout is missing, and none exists twice.
        let fresh = try await AuthenticationServiceUnderTest()
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

    /// No statement can open another file of the system through the accounts' connection.
    @Test func noOtherFileIsOpenedBesideTheAccounts() async throws {
        let under = try await AuthenticationServiceUnderTest()
        let store = try IdentityStore(under.folder)
        #expect(throws: IdentityFault.self) {
            try store.query { try $0.execute(sql: "ATTACH ':memory:' AS other") }
        }
    }

    @Test func accountsOfALaterLayoutAreRefused() async throws {
        let under = try await AuthenticationServiceUnderTest()
        let later = IdentitySchema.layouts.count + 1
        let opened = try DatabaseQueue(path: under.folder.accountsPath)
        try await opened.write { try $0.execute(sql: "PRAGMA user_version = \(later)") }
        await #expect(throws: IdentityFault.laterVersion(later)) {
            _ = try await under.otherProcess()
        }
    }
}
