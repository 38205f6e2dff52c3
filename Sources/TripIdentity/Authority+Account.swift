import Crypto
import GRDB

extension Authority {
    /// What lets somebody who has just signed in look after their account for some minutes.
    ///
    ///     8 bytes    the account's number
    ///     8 bytes    when it is too old, in seconds of UTC
    ///     32 bytes   HMAC-SHA-256 over both, what they signed in with, and how often all sessions of the account were
    ///                ended: once that is gone, or they are ended again, it is good for nothing
    ///
    /// - Parameters:
    ///   - signedIn: Who signed in.
    ///   - before: The ticket whose place it takes; it is good no longer than that, so that whoever signs out everywhere
    ///     again and again keeps no page open. Nil where they have just signed in.
    /// - Returns: The ticket, as base64url.
    public func ticket(for signedIn: SignedIn, inPlaceOf before: String? = nil) -> String {
        var end = now() + Self.ticketLifetime
        if let before { end = min(end, Self.end(of: before)) }
        let open = Self.bytes(signedIn.account.id) + Self.bytes(end)
        let code = HMAC<SHA256>.authenticationCode(
            for: sealed(open[...], signedIn),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(open + code)
    }

    /// Who a ticket was made for.
    ///
    /// - Parameter ticket: The ticket.
    /// - Returns: Who; nil where it is none, too old, or the account is disabled, has what they signed in with no more, or
    ///   all its sessions were ended meanwhile.
    /// - Throws: ``IdentityFault`` of the store.
    public func holder(of ticket: String) async throws(IdentityFault) -> SignedIn? {
        guard let bytes = Base64URL.bytes(ticket), bytes.count == 48,
            now() < Self.number(bytes[8..<16]),
            let (account, proofs) = try await store.proofs(ofNumber: Self.number(bytes[..<8])),
            !account.isDisabled
        else { return nil }
        let owner = proofs.map { SignedIn(account: account, proof: $0) }.first {
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes[16...],
                authenticating: sealed(bytes[..<16], $0),
                using: SymmetricKey(data: secret)
            )
        }
        guard let owner,
            // What it was good for when it was made may be over: there is a passkey now.
            try await mayLookAfter(owner)
        else { return nil }
        return owner
    }

    private static let ticketLifetime: Int64 = 600

    /// When a ticket is too old; long ago where it is none.
    private static func end(of ticket: String) -> Int64 {
        guard let bytes = Base64URL.bytes(ticket), bytes.count == 48 else { return 0 }
        return number(bytes[8..<16])
    }

    private func sealed(_ open: ArraySlice<UInt8>, _ signedIn: SignedIn) -> [UInt8] {
        let words =
            switch signedIn.proof {
            case .password(let hash): "password \(hash.text)"
            case .passkey(let id): "passkey \(id)"
            }
        return Array("ticket \(signedIn.account.signOutCount) \(words) ".utf8) + open
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Gives an account another password, as its owner asks who has just signed in.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - owner: Who asks.
    /// - Returns: What came of it; ``Reset/closed`` where what they signed in with is gone meanwhile.
    /// - Throws: ``IdentityFault`` of the store.
    public func setPassword(_ password: String, for owner: SignedIn) async throws -> Reset {
        try await setPassword(password, of: owner.account, by: "owner") { [self] in
            try mayChange(owner, $0)
        }
    }

    /// Sets a password that somebody typed, where they may still set one when it is hashed.
    private func setPassword(
        _ password: String,
        of account: Account,
        by whom: String,
        where mayBeSet: @escaping @Sendable (Database) throws -> Bool,
        andAlso more: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) async throws -> Reset {
        if let breach = rules.breach(password, for: account.name) { return .weak(breach) }
        // Before a seat is taken: a slow disk keeps nobody from signing in.
        do {
            if try await isStolen(password) { return .weak(.stolen) }
        } catch {
            failing(error)
            return .weak(.notLookedUp)
        }
        guard let seat = bench.seat() else { return .busy }
        let cost = cost
        let hash = await bench.run(in: seat) { PasswordHash(password, cost: cost) }
        let (now, mark) = (now(), mark(account.name))
        let entry = AccessEntry(.passwordSet, at: now, account: account.id, detail: whom)
        let isSet = try await change(entry, where: mayBeSet) { db in
            try IdentityStore.setPassword(hash, of: account.id, now, db)
            try SignInFailures.forget(mark, db)
            try more(db)
        }
        guard isSet else { return .closed }
        sessions.lookAgain()
        return .done(account)
    }

    /// Whether a password is in the list of stolen ones; it is not where there is no list.
    private func isStolen(_ password: String) async throws(IdentityFault) -> Bool {
        guard let list = rules.breached else { return false }
        let looked = await desk.run {
            Result { () throws(IdentityFault) in try list.contains(password) }
        }
        guard let looked else { throw list.late }
        return try looked.get()
    }

    /// Changes what is recorded first: what cannot be recorded is not done, and what will not be done is not recorded.
    ///
    /// - Parameters:
    ///   - entry: What is recorded.
    ///   - mayBe: Whether the change may be made; asked before it is recorded, and again within it.
    ///   - change: The change.
    /// - Returns: Whether it was made. Where it was not although it was recorded, the record says so as well.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func change(
        _ entry: AccessEntry,
        where mayBe: @escaping @Sendable (Database) throws -> Bool,
        _ change: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Bool {
        guard try await store.looking(mayBe) else { return false }
        try await record.add(entry)
        let outcome: Result<Bool, any Error>
        do {
            outcome = .success(
                try await store.changing { db in
                    guard try mayBe(db) else { return false }
                    try change(db)
                    return true
                }
            )
        } catch {
            outcome = .failure(error)
        }
        if case .success(true) = outcome { return true }
        let undone = AccessEntry(
            .changeRefused,
            at: now(),
            account: entry.account,
            subject: entry.subject,
            detail: entry.event.rawValue
        )
        try await record.add(undone)
        return try outcome.get()
    }

    /// A way to a new password, to be sent to somebody.
    public struct ResetLetter: Sendable {
        /// Where to.
        public let email: String
        /// What opens the way, once and for half an hour.
        public let token: String
    }

    /// Opens a way to a new password.
    ///
    /// - Parameter text: What somebody typed as their name.
    /// - Returns: What is to be sent; nil where nobody has the name, the account is disabled or has no address, or
    ///   many letters went there already.
    /// - Throws: ``IdentityFault`` of the store.
    public func resetLetter(for text: String) async throws -> ResetLetter? {
        // What is no name is nobody's. The same is written whoever has the name: how long it takes tells nothing.
        let name = try? AccountName(text)
        let found: Account? = if let name { try await store.account(named: name) } else { nil }
        let account = found.flatMap { $0.isDisabled || $0.email == nil ? nil : $0 }
        let (token, now) = (RandomText.secret(), now())
        let mark = name.map(mark) ?? mark(ofText: "?")
        let isBegun = try await store.beginReset(mark, of: account?.id, token: token, now: now)
        guard isBegun, let account, let email = account.email else { return nil }
        try await record.add(AccessEntry(.resetSent, at: now, account: account.id))
        return ResetLetter(email: email, token: token)
    }

    /// What came of a new password.
    public enum Reset: Sendable {
        /// It is set, for this account.
        case done(Account)
        /// The way to it is not open, or not any more.
        case closed
        /// It is not good enough.
        case weak(PasswordRules.Breach)
        /// Too many passwords are being looked at.
        case busy
    }

    /// Whether a way to a new password is open.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func isOpen(_ token: String) async throws(IdentityFault) -> Bool {
        try await store.resetAccount(token, now: now()) != nil
    }

    /// Gives somebody a new password who was sent a way to it; their sessions and passkeys end, and every such way is closed.
    ///
    /// - Parameters:
    ///   - token: What was sent.
    ///   - password: The password.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store.
    public func reset(_ token: String, to password: String) async throws -> Reset {
        guard let account = try await store.resetAccount(token, now: now()) else { return .closed }
        let now = now
        return try await setPassword(password, of: account, by: "letter") { db in
            try IdentityStore.resetAccount(token, now(), db)?.id == account.id
        } andAlso: { db in
            // Whoever had the account in hand may have left a passkey there.
            try IdentityStore.removePasskeys(of: account.id, db)
        }
    }
}
