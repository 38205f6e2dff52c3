import Crypto

extension Authority {
    /// What lets somebody who has just typed their password look after their account for some minutes.
    ///
    ///     8 bytes    the account's number
    ///     8 bytes    when it is too old, in seconds of UTC
    ///     32 bytes   HMAC-SHA-256 over both and the password's hash: with another password it is good for nothing
    ///
    /// - Parameter signedIn: Who signed in.
    /// - Returns: The ticket, as base64url; nil for whoever signed in otherwise.
    public func ticket(for signedIn: SignedIn) -> String? {
        guard case .password(let hash) = signedIn.proof else { return nil }
        let open = Self.bytes(signedIn.account.id) + Self.bytes(now() + Self.ticketLifetime)
        let code = HMAC<SHA256>.authenticationCode(
            for: sealed(open[...], hash),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(open + code)
    }

    /// Who a ticket was made for.
    ///
    /// - Parameter ticket: The ticket.
    /// - Returns: Who; nil where it is none, too old, or the account is disabled or has another password.
    /// - Throws: ``IdentityFault`` of the store.
    public func holder(of ticket: String) async throws(IdentityFault) -> SignedIn? {
        guard let bytes = Base64URL.bytes(ticket), bytes.count == 48,
            now() < Self.number(bytes[8..<16]),
            let (account, hash) = try await store.password(ofNumber: Self.number(bytes[..<8])),
            !account.isDisabled,
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes[16...],
                authenticating: sealed(bytes[..<16], hash),
                using: SymmetricKey(data: secret)
            )
        else { return nil }
        return SignedIn(account: account, proof: .password(hash))
    }

    private static let ticketLifetime: Int64 = 600

    private func sealed(_ open: ArraySlice<UInt8>, _ hash: PasswordHash) -> [UInt8] {
        Array("ticket \(hash.text) ".utf8) + open
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
    /// - Throws: ``IdentityFault/weakPassword(_:)``, or of the store.
    public func setPassword(_ password: String, for owner: SignedIn) async throws {
        let hash = try await hashing(password, for: owner.account.name)
        guard let hash else { throw IdentityFault.busy }
        let now = now()
        try await record.add(AccessEntry(.passwordSet, at: now, account: owner.account.id))
        try await store.setPassword(hash, of: owner.account.name, now: now)
        sessions.removeAll()
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
        // What is no name is nobody's.
        guard let name = try? AccountName(text),
            let account = try await store.account(named: name), !account.isDisabled,
            let email = account.email
        else { return nil }
        let (token, now) = (RandomText.secret(), now())
        guard try await store.beginReset(of: account.id, token: token, now: now) else { return nil }
        try await record.add(AccessEntry(.resetSent, at: now, account: account.id))
        return ResetLetter(email: email, token: token)
    }

    /// What came of a new password.
    public enum Reset: Sendable {
        /// It is set.
        case done
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

    /// Gives somebody a new password who was sent a way to it; their sessions end, and the way is closed.
    ///
    /// - Parameters:
    ///   - token: What was sent.
    ///   - password: The password.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store.
    public func reset(_ token: String, to password: String) async throws -> Reset {
        guard let account = try await store.resetAccount(token, now: now()) else { return .closed }
        if let breach = PasswordRules.breach(password, for: account.name) { return .weak(breach) }
        guard let hash = try await hashing(password, for: account.name) else { return .busy }
        let now = now()
        try await record.add(
            AccessEntry(.passwordSet, at: now, account: account.id, detail: "letter")
        )
        let mark = mark(account.name)
        guard try await store.finishReset(token, hash, now: now) else { return .closed }
        try await store.changing { try SignInFailures.forget(mark, $0) }
        sessions.removeAll()
        return .done
    }

    /// Hashes a new password off the threads that answer; nil where too many wait.
    private func hashing(_ password: String, for name: AccountName) async throws -> PasswordHash? {
        if let breach = PasswordRules.breach(password, for: name) {
            throw IdentityFault.weakPassword(breach)
        }
        guard let seat = bench.seat() else { return nil }
        let cost = cost
        return await bench.run(in: seat) { PasswordHash(password, cost: cost) }
    }
}
