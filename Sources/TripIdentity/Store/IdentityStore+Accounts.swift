import GRDB

extension IdentityStore {
    /// Every account, by name.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func accounts() async throws(IdentityFault) -> [Account] {
        try await looking { db in
            try Row.fetchAll(db, sql: Self.columns + " ORDER BY name").map(Self.account)
        }
    }

    /// The account of a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account; nil where there is none.
    /// - Throws: ``IdentityFault`` of the store.
    public func account(named name: AccountName) async throws(IdentityFault) -> Account? {
        try await looking { db in
            try Row.fetchOne(db, sql: Self.columns + " WHERE name = ?", arguments: [name.text])
                .map(Self.account)
        }
    }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - email: Where a way to a new password is sent; nil for nowhere.
    ///   - password: The hash of its password; nil where it has none yet.
    ///   - access: What it may do.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault/nameTaken(_:)``, or of the store.
    func add(
        _ name: AccountName,
        email: String?,
        password: PasswordHash?,
        access: Access,
        now: Int64
    ) async throws(IdentityFault) {
        try await changing { db in
            let taken = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM account WHERE name = ?)",
                arguments: [name.text]
            )
            guard taken == false else { throw IdentityFault.nameTaken(name.text) }
            try db.execute(
                sql: """
                    INSERT INTO account
                      (name, email, password, roles, regions, sees_national_totals, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    name.text, email, password?.text, Self.text(access.roles),
                    Self.text(access.regions), access.seesNationalTotals, now,
                ]
            )
        }
    }

    /// Gives an account another password, and ends its sessions; what was sent to somebody who had forgotten the one
    /// before is void.
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

    /// Gives an account another address for its letters; nil for none.
    func setEmail(_ email: String?, of name: AccountName) async throws(IdentityFault) {
        try await changing { db in
            let id = try Self.require(name, db)
            try db.execute(
                sql: "UPDATE account SET email = ? WHERE account_id = ?",
                arguments: [email, id]
            )
            // What went to the address before leads nowhere.
            try Self.closeResets(of: id, db)
        }
    }

    /// Changes what an account may do; its sessions go on with that.
    ///
    /// - Parameters:
    ///   - access: What it may do from now on.
    ///   - name: The account.
    /// - Throws: ``IdentityFault/noSuchAccount(_:)``, or of the store.
    public func setAccess(_ access: Access, of name: AccountName) async throws(IdentityFault) {
        try await changing { db in
            let id = try Self.require(name, db)
            try db.execute(
                sql: """
                    UPDATE account SET roles = ?, regions = ?, sees_national_totals = ?
                    WHERE account_id = ?
                    """,
                arguments: [
                    Self.text(access.roles), Self.text(access.regions), access.seesNationalTotals,
                    id,
                ]
            )
        }
    }

    /// Lets nobody in as an account any more, or again; its sessions end.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether it is disabled.
    ///   - name: The account.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault/noSuchAccount(_:)``, or of the store.
    public func setDisabled(
        _ isDisabled: Bool,
        _ name: AccountName,
        now: Int64
    ) async throws(IdentityFault) {
        try await changing { db in
            let id = try Self.require(name, db)
            try db.execute(
                sql: "UPDATE account SET is_disabled = ? WHERE account_id = ?",
                arguments: [isDisabled, id]
            )
            if isDisabled { try Self.endSessions(of: id, .accountDisabled, now, db) }
        }
    }

    /// The account of a name with the hash of its password; nil where there is none of either.
    func password(of name: AccountName) async throws(IdentityFault) -> (Account, PasswordHash)? {
        try await looking { db in
            let sql = Self.columns + " WHERE name = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [name.text]),
                let hash = Self.hash(row)
            else { return nil }
            return (try Self.account(row), hash)
        }
    }

    /// The account of a number with everything its owner can sign in with; nil where there is none.
    func proofs(
        ofNumber id: Int64
    ) async throws(IdentityFault) -> (Account, [Authority.Proof])? {
        try await looking { db in
            let sql = Self.columns + " WHERE account_id = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [id]) else { return nil }
            let passkeys = try String.fetchAll(
                db,
                sql: "SELECT passkey_id FROM passkey WHERE account_id = ? ORDER BY passkey_id",
                arguments: [id]
            )
            let password = Self.hash(row).map { [Authority.Proof.password($0)] } ?? []
            return (try Self.account(row), password + passkeys.map { .passkey(id: $0) })
        }
    }

    private static func hash(_ row: Row) -> PasswordHash? {
        (row["password"] as String?).flatMap { PasswordHash(text: $0) }
    }

    static let columns = """
        SELECT account_id, name, email, password, roles, regions, sees_national_totals, is_disabled
        FROM account
        """

    static func account(_ row: Row) throws -> Account {
        let words = (row["roles"] as String).split(separator: " ")
        return Account(
            id: row["account_id"],
            name: try AccountName(row["name"] as String),
            email: row["email"],
            access: Access(
                // A role that a later version gave is none of ours.
                roles: Set(words.compactMap { Role(rawValue: String($0)) }),
                regions: regions(row["regions"]),
                seesNationalTotals: row["sees_national_totals"]
            ),
            isDisabled: row["is_disabled"]
        )
    }

    static func require(_ name: AccountName, _ db: Database) throws -> Int64 {
        let id = try Int64.fetchOne(
            db,
            sql: "SELECT account_id FROM account WHERE name = ?",
            arguments: [name.text]
        )
        guard let id else { throw IdentityFault.noSuchAccount(name.text) }
        return id
    }

    private static func text(_ roles: Set<Role>) -> String {
        roles.map(\.rawValue).sorted().joined(separator: " ")
    }

    /// Regions one per line; they have no line breaks, as no cell of a dimension has.
    private static func text(_ regions: Set<String>?) -> String? {
        regions.map { $0.sorted().joined(separator: "\n") }
    }

    private static func regions(_ text: String?) -> Set<String>? {
        text.map { Set($0.split(separator: "\n").map(String.init)) }
    }
}
