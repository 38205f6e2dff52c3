import GRDB

extension IdentityStore {
    /// Every account, by name.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    func accounts() async throws(IdentityFault) -> [Account] {
        try await reading { db in
            try IdentityRow.fetchAll(db, sql: Self.columns + " ORDER BY name").map(Self.account)
        }
    }

    /// The account of a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account; nil where there is none.
    /// - Throws: ``IdentityFault`` of the store.
    func account(named name: AccountName) async throws(IdentityFault) -> Account? {
        try await reading { db in
            let sql = Self.columns + " WHERE name = ?"
            return try IdentityRow.fetchOne(db, sql: sql, arguments: [name.text])
                .map(Self.account)
        }
    }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - email: Where links to a new password are sent; nil for nowhere.
    ///   - password: The hash of its password; nil where it has none yet.
    ///   - access: What it may do.
    ///   - now: The time, in seconds of UTC.
    ///   - db: The accounts' file.
    /// - Throws: The store's error, for instance where an account has the name already.
    static func add(
        _ name: AccountName,
        email: String?,
        password: PasswordHash?,
        access: Access,
        _ now: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO account
                  (name, email, password, roles, regions, sees_national_totals, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                name.text, email, password?.text, text(access.roles), text(access.regions),
                access.seesNationalTotals, now,
            ]
        )
    }

    /// Whether an account has a name.
    static func has(_ name: AccountName, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM account WHERE name = ?)",
            arguments: [name.text]
        ) ?? false
    }

    /// Sets another password for an account, ends its sessions, and makes links to a new password
    /// invalid.
    static func setPassword(
        _ hash: PasswordHash,
        of id: Int64,
        _ now: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE account SET password = ? WHERE account_id = ?",
            arguments: [hash.text, id]
        )
        try closeResets(of: id, db)
        try endSessions(of: id, .passwordChanged, now, db)
    }

    /// Sets another e-mail address for an account; nil for none.
    static func setEmail(_ email: String?, of id: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE account SET email = ? WHERE account_id = ?",
            arguments: [email, id]
        )
        // Links that were sent to the address before must not work.
        try closeResets(of: id, db)
    }

    /// Changes what an account may do; its sessions go on with the new permissions.
    static func setAccess(_ access: Access, of id: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE account SET roles = ?, regions = ?, sees_national_totals = ?
                WHERE account_id = ?
                """,
            arguments: [
                text(access.roles), text(access.regions), access.seesNationalTotals, id,
            ]
        )
    }

    /// Disables an account, whose sessions end, or enables it again.
    static func setDisabled(
        _ isDisabled: Bool,
        _ id: Int64,
        _ now: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE account SET is_disabled = ? WHERE account_id = ?",
            arguments: [isDisabled, id]
        )
        if isDisabled { try endSessions(of: id, .accountDisabled, now, db) }
    }

    /// The account of a name with the hash of its password; nil where either is missing.
    func password(of name: AccountName) async throws(IdentityFault) -> (Account, PasswordHash)? {
        try await reading { db in
            let sql = Self.columns + " WHERE name = ?"
            guard let row = try IdentityRow.fetchOne(db, sql: sql, arguments: [name.text]),
                let hash = try Self.hash(row)
            else { return nil }
            return (try Self.account(row), hash)
        }
    }

    /// The account of a number with its password and passkeys; nil where there is none.
    func proofs(
        ofNumber id: Int64
    ) async throws(IdentityFault) -> (Account, [AuthenticationService.Proof])? {
        try await reading { db in
            let sql = Self.columns + " WHERE account_id = ?"
            guard let row = try IdentityRow.fetchOne(db, sql: sql, arguments: [id]) else {
                return nil
            }
            let passkeys: [String] = try IdentityRow.fetchAll(
                db,
                sql: "SELECT passkey_id FROM passkey WHERE account_id = ? ORDER BY passkey_id",
                arguments: [id]
            ).map { try $0["passkey_id"] }
            let password =
                try Self.hash(row).map { [AuthenticationService.Proof.password($0)] } ?? []
            return (try Self.account(row), password + passkeys.map { .passkey(id: $0) })
        }
    }

    /// The hash of a password; nil where there is none.
    private static func hash(_ row: IdentityRow) throws -> PasswordHash? {
        guard let text: String = try row["password"] else { return nil }
        guard let hash = PasswordHash(text: text) else { throw IdentityFault.damaged }
        return hash
    }

    static let columns = """
        SELECT account_id, name, email, password, roles, regions, sees_national_totals, is_disabled,
          sign_out_count
        FROM account
        """

    static func account(_ row: IdentityRow) throws -> Account {
        let (name, roles): (String, String) = (try row["name"], try row["roles"])
        // A stored name that is not valid means that the file is damaged; the name's fault would
        // quote it.
        guard let name = try? AccountName(name) else { throw IdentityFault.damaged }
        return try Account(
            id: row["account_id"],
            name: name,
            email: row["email"],
            access: Access(
                // A role that a later version granted is unknown here and ignored.
                roles: Set(roles.split(separator: " ").compactMap { Role(rawValue: String($0)) }),
                regions: regions(row["regions"]),
                seesNationalTotals: row["sees_national_totals"]
            ),
            isDisabled: row["is_disabled"],
            signOutCount: row["sign_out_count"]
        )
    }

    static func require(_ name: AccountName, _ db: Database) throws -> Int64 {
        let row = try IdentityRow.fetchOne(
            db,
            sql: "SELECT account_id FROM account WHERE name = ?",
            arguments: [name.text]
        )
        guard let row else { throw IdentityFault.noSuchAccount(name.text) }
        return try row["account_id"]
    }

    private static func text(_ roles: Set<Role>) -> String {
        roles.map(\.rawValue).sorted().joined(separator: " ")
    }

    /// Regions one per line; they have no line breaks, as no value of a dimension has.
    private static func text(_ regions: Set<String>?) -> String? {
        regions.map { $0.sorted().joined(separator: "\n") }
    }

    private static func regions(_ text: String?) -> Set<String>? {
        text.map { Set($0.split(separator: "\n").map(String.init)) }
    }
}
