import GRDB

extension Authority {
    /// What came of a name and a password.
    public enum SignIn: Sendable {
        /// They are who they say.
        case accepted(SignedIn)
        /// Name or password is wrong, or the account is disabled: nothing tells which.
        case refused
        /// Too many wrong ones before; for how many seconds nobody can sign in as the name.
        case closed(Int64)
        /// Too many sign in at once.
        case busy
    }

    /// Somebody who proved a moment ago who they are.
    public struct SignedIn: Sendable {
        /// Who.
        public let account: Account
        /// By what: where that is gone by now, it was right too long ago.
        let proof: Proof

        /// Whether they proved it by two factors: a device of theirs, and what unlocks it.
        public var isByPasskey: Bool {
            if case .passkey = proof { true } else { false }
        }
    }

    /// What somebody proved who they are by.
    enum Proof: Sendable {
        case password(PasswordHash)
        case passkey(id: String)
    }

    /// Finds out whether somebody is who they say.
    ///
    /// A name that nobody has takes as long as one that somebody has, and says the same.
    ///
    /// - Parameters:
    ///   - name: What they typed as their name.
    ///   - password: What they typed as their password.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ name: String, _ password: String) async throws -> SignIn {
        // What is no name is nobody's; it is hashed like one, and all of it is counted together.
        let typed = try? AccountName(name)
        let mark = typed.map(mark) ?? mark(ofText: "?")
        let found: (Account, PasswordHash)? =
            if let typed { try await store.password(of: typed) } else { nil }
        // A seat before it is counted: whoever finds none free has not failed.
        guard let seat = bench.seat() else { return .busy }
        let now = now()
        do {
            let closed = try await store.changing { try SignInFailures.begin(mark, now, $0) }
            if let closed {
                bench.leave(seat)
                return .closed(closed)
            }
        } catch {
            bench.leave(seat)
            throw error
        }
        let hash = found?.1 ?? nobody
        let isTooLong = password.utf8.count > PasswordRules.byteCountMax
        let tried = isTooLong ? "" : password
        let isRight = await bench.run(in: seat) { hash.matches(tried) }
        guard isRight, !isTooLong, let account = found?.0, !account.isDisabled else {
            if let account = found?.0 {
                // Not waited for, as nothing is where nobody has the name.
                record.addLater(AccessEntry(.signInRefused, at: now, account: account.id))
            }
            return .refused
        }
        try await store.changing { db in
            try SignInFailures.forget(mark, db)
            try IdentityStore.forgetPasskeyFailures(of: account.id, db)
        }
        let entry = AccessEntry(.signedIn, at: now, account: account.id, detail: "password")
        try await record.add(entry)
        return .accepted(SignedIn(account: account, proof: .password(hash)))
    }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - email: Where a way to a new password is sent; nil for nowhere.
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
        // Asked first, for hashing takes a while; asked again where it is written.
        if try await store.account(named: name) != nil {
            throw IdentityFault.nameTaken(name.text)
        }
        let hash = try password.map { text throws(IdentityFault) in try self.hash(text, for: name) }
        try await note(.accountAdded, name, access)
        try await store.add(name, email: email, password: hash, access: access, now: now())
    }

    /// Gives an account another password: its sessions end, and what failed before is forgotten.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setPassword(_ password: String, of name: AccountName) async throws {
        let hash = try hash(password, for: name)
        try await note(.passwordSet, name)
        let (now, mark) = (now(), mark(name))
        try await store.changing { db in
            try IdentityStore.setPassword(hash, of: try IdentityStore.require(name, db), now, db)
            try SignInFailures.forget(mark, db)
        }
        sessions.removeAll()
    }

    /// Gives an account another address for its letters.
    ///
    /// - Parameters:
    ///   - email: The address; nil for none.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setEmail(_ email: String?, of name: AccountName) async throws {
        try Self.requireEmail(email)
        try await note(.emailSet, name)
        try await store.setEmail(email, of: name)
    }

    /// Refuses what cannot stand in a letter's head.
    private static func requireEmail(_ email: String?) throws(IdentityFault) {
        guard let email, !EmailAddress.isOne(email) else { return }
        throw .badEmail(email)
    }

    /// Every account, by name.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func accounts() async throws(IdentityFault) -> [Account] { try await store.accounts() }

    /// Changes what an account may do; its sessions go on with that.
    ///
    /// - Parameters:
    ///   - access: What it may do from now on.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setAccess(_ access: Access, of name: AccountName) async throws {
        try await note(.rolesSet, name, access)
        try await store.setAccess(access, of: name)
        sessions.removeAll()
    }

    /// Lets nobody in as an account any more, whose sessions end; or lets them in again.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether it is disabled.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func setDisabled(_ isDisabled: Bool, _ name: AccountName) async throws {
        try await note(isDisabled ? .accountDisabled : .accountEnabled, name)
        try await store.setDisabled(isDisabled, name, now: now())
        sessions.removeAll()
    }

    /// Records what is about to happen to an account: nothing happens that is not recorded.
    private func note(
        _ event: AccessEntry.Event,
        _ name: AccountName,
        _ access: Access? = nil
    ) async throws {
        let roles = access.map { $0.roles.map(\.rawValue).sorted().joined(separator: "+") }
        let regions = access?.regions.map { "@\($0.count)" } ?? ""
        let detail = roles.map { $0 + regions }
        try await record.add(AccessEntry(event, at: now(), subject: name.text, detail: detail))
    }

    private func hash(
        _ password: String,
        for name: AccountName
    ) throws(IdentityFault) -> PasswordHash {
        if let breach = PasswordRules.breach(password, for: name) { throw .weakPassword(breach) }
        return PasswordHash(password, cost: cost)
    }
}
