import Crypto
import GRDB

extension AuthenticationService {
    /// Makes a ticket with which a person who has just signed in may manage the account for some
    /// minutes.
    ///
    ///     8 bytes    the account's number
    ///     8 bytes    when it expires, in seconds of UTC
    ///     32 bytes   HMAC-SHA-256 over both, the proof of the sign-in, and how often all sessions
    ///                of the account were ended: the ticket is void once the proof is gone or all
    ///                sessions are ended again
    ///
    /// - Parameters:
    ///   - signedIn: The sign-in.
    ///   - before: The ticket that this one replaces; the new one expires no later, so that
    ///     repeated sign-outs do not keep a page open. Nil directly after the sign-in.
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

    /// The sign-in that a ticket was made for.
    ///
    /// - Parameter ticket: The ticket.
    /// - Returns: The sign-in; nil where the ticket is invalid or has expired, or where since then
    ///   the account was disabled, its password or passkey was removed, or all its sessions were
    ///   ended.
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
            // A ticket from a password may no longer be enough: the account may have a passkey by
            // now.
            try await mayManageAccount(owner)
        else { return nil }
        return owner
    }

    private static let ticketLifetime: Int64 = 600

    /// When a ticket expires; 0 where it is invalid.
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

    /// Sets another password for an account, at the request of its owner, who has just signed in.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - owner: The owner's sign-in.
    /// - Returns: The outcome; ``Reset/closed`` where the proof of the sign-in is gone meanwhile.
    /// - Throws: ``IdentityFault`` of the store.
    public func setPassword(_ password: String, for owner: SignedIn) async throws -> Reset {
        try await setPassword(password, of: owner.account, by: "owner") { [self] in
            try mayChange(owner, $0)
        }
    }

    /// Sets a password, where that is still allowed once it is hashed.
    private func setPassword(
        _ password: String,
        of account: Account,
        by setter: String,
        where mayBeSet: @escaping @Sendable (Database) throws -> Bool,
        andAlso more: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) async throws -> Reset {
        if let violation = rules.violation(password, for: account.name) { return .weak(violation) }
        // Before the password is hashed: a slow disk takes no space from those who sign in.
        do {
            if try await isStolen(password) { return .weak(.stolen) }
        } catch {
            onPasswordCheckFault(error)
            return .weak(.notChecked)
        }
        let cost = cost
        let hash: PasswordHash
        do throws(BoundedQueue.Refusal) {
            hash = try await hashing.run { PasswordHash(password, cost: cost) }
        } catch {
            return .busy
        }
        let (now, mark) = (now(), mark(account.name))
        let entry = AccessEntry(.passwordSet, at: now, account: account.id, detail: setter)
        let isSet = try await change(entry, where: mayBeSet) { db in
            try IdentityStore.setPassword(hash, of: account.id, now, db)
            try SignInFailures.forget(mark, db)
            try more(db)
        }
        guard isSet else { return .closed }
        sessions.invalidateAll()
        return .done(account)
    }

    /// Whether a password is in the list of stolen passwords; false where there is no list.
    private func isStolen(_ password: String) async throws(IdentityFault) -> Bool {
        guard let list = rules.breached else { return false }
        let found: Result<Bool, IdentityFault>
        do throws(BoundedQueue.Refusal) {
            found = try await searching.run {
                Result { () throws(IdentityFault) in try list.contains(password) }
            }
        } catch {
            throw list.late
        }
        return try found.get()
    }

    /// Makes a change that is recorded first.
    ///
    /// A change that cannot be recorded is not made, and one that is not allowed is not recorded.
    ///
    /// - Parameters:
    ///   - entry: The entry of the access record.
    ///   - mayBe: Whether the change is allowed; evaluated before it is recorded, and again in its
    ///     transaction.
    ///   - change: The change.
    /// - Returns: Whether it was made. Where it was recorded but not made, the record says so as
    ///   well.
    /// - Throws: ``IdentityFault`` of the store or the record.
    func change(
        _ entry: AccessEntry,
        where mayBe: @escaping @Sendable (Database) throws -> Bool,
        _ change: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Bool {
        guard try await store.reading(mayBe) else { return false }
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

    /// A link to a new password, to be sent by e-mail.
    public struct PasswordResetEmail: Sendable {
        /// The address.
        public let email: String
        /// The token of the link; valid once, for half an hour.
        public let token: String
    }

    /// Makes a link to a new password.
    ///
    /// - Parameter text: The name as typed.
    /// - Returns: The e-mail to send; nil where no account has the name, the account is disabled or
    ///   has no address, or many e-mails were sent there already.
    /// - Throws: ``IdentityFault`` of the store.
    public func passwordResetEmail(for text: String) async throws -> PasswordResetEmail? {
        // An invalid name belongs to no account. The same rows are written for every name, so that
        // the time taken does not show whether an account has it.
        let name = try? AccountName(text)
        let found: Account? = if let name { try await store.account(named: name) } else { nil }
        let account = found.flatMap { $0.isDisabled || $0.email == nil ? nil : $0 }
        let (token, now) = (RandomText.secret(), now())
        let mark = name.map(mark) ?? mark(ofText: "?")
        let isBegun = try await store.beginReset(mark, of: account?.id, token: token, now: now)
        guard isBegun, let account, let email = account.email else { return nil }
        try await record.add(AccessEntry(.resetSent, at: now, account: account.id))
        return PasswordResetEmail(email: email, token: token)
    }

    /// The outcome of setting a new password.
    public enum Reset: Sendable {
        /// It is set, for this account.
        case done(Account)
        /// The link or sign-in is not valid, or no longer.
        case closed
        /// The password breaks a rule.
        case weak(PasswordRules.Violation)
        /// Too many passwords are being checked.
        case busy
    }

    /// Whether the link to a new password is valid.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func isOpen(_ token: String) async throws(IdentityFault) -> Bool {
        try await store.resetAccount(token, now: now()) != nil
    }

    /// Sets a new password for the owner of a link.
    ///
    /// The account's sessions and passkeys end, and all links to a new password become invalid.
    ///
    /// - Parameters:
    ///   - token: The token of the link.
    ///   - password: The password.
    /// - Returns: The outcome.
    /// - Throws: ``IdentityFault`` of the store.
    public func reset(_ token: String, to password: String) async throws -> Reset {
        guard let account = try await store.resetAccount(token, now: now()) else { return .closed }
        let now = now
        return try await setPassword(password, of: account, by: "email") { db in
            try IdentityStore.resetAccount(token, now(), db)?.id == account.id
        } andAlso: { db in
            // An attacker who had access to the account may have added a passkey.
            try IdentityStore.removePasskeys(of: account.id, db)
        }
    }
}
