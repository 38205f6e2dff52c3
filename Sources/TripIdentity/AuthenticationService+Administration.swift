import GRDB

/// The operator's commands on accounts: each change is recorded before it is made.
extension AuthenticationService {
    /// Every account, by name.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func accounts() async throws(IdentityFault) -> [Account] { try await store.accounts() }

    /// The account of a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account.
    /// - Throws: ``IdentityFault/noSuchAccount(_:)``, or of the store.
    public func account(named name: AccountName) async throws(IdentityFault) -> Account {
        guard let account = try await store.account(named: name) else {
            throw .noSuchAccount(name.text)
        }
        return account
    }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - email: Where links to a new password are sent; nil for nowhere.
    ///   - password: Its password; nil where it has none yet.
    ///   - access: What it may do.
    /// - Throws: ``IdentityFault``.
    public func add(
        _ name: AccountName,
        email: String? = nil,
        password: String?,
        access: Access
    ) async throws {
        try Self.requireEmail(email)
        // This is checked first, because hashing takes a while, and again when the account is
        // written.
        if try await store.account(named: name) != nil {
            throw IdentityFault.nameTaken(name.text)
        }
        let hash = try password.map { text throws(IdentityFault) in try self.hash(text, for: name) }
        let now = now()
        let entry = Self.entry(.accountAdded, at: now, name, access)
        let isAdded = try await change(entry) { db in
            try !IdentityStore.has(name, db)
        } _: { db in
            try IdentityStore.add(name, email: email, password: hash, access: access, now, db)
        }
        guard isAdded else { throw IdentityFault.nameTaken(name.text) }
    }

    /// Sets another password for an account: its sessions end, and its failed sign-ins are
    /// forgotten.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setPassword(_ password: String, of name: AccountName) async throws {
        let hash = try hash(password, for: name)
        let (now, mark) = (now(), mark(name))
        try await change(name, Self.entry(.passwordSet, at: now, name)) { id, db in
            try IdentityStore.setPassword(hash, of: id, now, db)
            try SignInFailures.forget(mark, db)
        }
    }

    /// Sets another e-mail address for an account.
    ///
    /// - Parameters:
    ///   - email: The address; nil for none.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setEmail(_ email: String?, of name: AccountName) async throws {
        try Self.requireEmail(email)
        try await change(name, Self.entry(.emailSet, at: now(), name)) { id, db in
            try IdentityStore.setEmail(email, of: id, db)
        }
    }

    /// Changes what an account may do; its sessions go on with the new permissions.
    ///
    /// - Parameters:
    ///   - access: What it may do from now on.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setAccess(_ access: Access, of name: AccountName) async throws {
        try await change(name, Self.entry(.rolesSet, at: now(), name, access)) { id, db in
            try IdentityStore.setAccess(access, of: id, db)
        }
    }

    /// Disables an account, whose sessions end, or enables it again.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether it is disabled.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setDisabled(_ isDisabled: Bool, _ name: AccountName) async throws {
        let now = now()
        let event = isDisabled ? AccessEntry.Event.accountDisabled : .accountEnabled
        try await change(name, Self.entry(event, at: now, name)) { id, db in
            try IdentityStore.setDisabled(isDisabled, id, now, db)
        }
    }

    /// Changes an account; nothing is recorded where no account has the name.
    private func change(
        _ name: AccountName,
        _ entry: AccessEntry,
        _ change: @escaping @Sendable (Int64, Database) throws -> Void
    ) async throws {
        let isChanged = try await self.change(entry) { db in
            try IdentityStore.has(name, db)
        } _: { db in
            try change(try IdentityStore.require(name, db), db)
        }
        guard isChanged else { throw IdentityFault.noSuchAccount(name.text) }
        sessions.invalidateAll()
    }

    private static func entry(
        _ event: AccessEntry.Event,
        at now: Int64,
        _ name: AccountName,
        _ access: Access? = nil
    ) -> AccessEntry {
        AccessEntry(event, at: now, subject: name.text, detail: access.map(text))
    }

    /// `analyst+viewer@08,10/national`: roles, regions where not all, and whether national totals
    /// are allowed.
    private static func text(_ access: Access) -> String {
        let roles = access.roles.map(\.rawValue).sorted().joined(separator: "+")
        guard let regions = access.regions else { return roles }
        let named = regions.sorted().map(escaped).joined(separator: ",")
        return roles + "@" + named + (access.seesNationalTotals ? "/national" : "")
    }

    /// A region's name in letters, digits and escapes, so that two names never look the same in the
    /// record.
    private static func escaped(_ region: String) -> String {
        region.utf8.map { byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }

    /// Sets a damaged access record aside and begins another one, whose first entry names it.
    ///
    /// - Returns: The name of the file it was moved to; nil where nothing is wrong with it and
    ///   nothing was done.
    /// - Throws: ``IdentityFault`` of the files.
    public func replaceDamagedRecord() async throws -> String? {
        try await record.replaceDamaged(at: now())
    }

    /// Refuses a text that is not safe in an e-mail header.
    private static func requireEmail(_ email: String?) throws(IdentityFault) {
        guard let email, !EmailAddress.isValid(email) else { return }
        throw .badEmail(email)
    }

    private func hash(
        _ password: String,
        for name: AccountName
    ) throws(IdentityFault) -> PasswordHash {
        if let violation = rules.violation(password, for: name) { throw .weakPassword(violation) }
        if try rules.isStolen(password) { throw .weakPassword(.stolen) }
        return PasswordHash(password, cost: cost)
    }
}
