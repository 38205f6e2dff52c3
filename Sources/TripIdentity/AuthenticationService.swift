import Crypto
import GRDB
import Synchronization

/// Authenticates people: checks passwords and passkeys, issues tokens, and verifies them.
public final class AuthenticationService: Sendable {
    let store: IdentityStore
    let folder: IdentityFolder
    /// The lifetimes of sessions, codes and tokens.
    public let limits: SessionLimits
    let now: @Sendable () -> Int64
    /// The `iss` claim of tokens: the server's address.
    public let issuer: String
    /// The `aud` claim of tokens.
    public let audience: String
    let secret: [UInt8]
    /// The access record.
    public let record: AccessRecord
    let cost: PasswordHash.Cost
    /// Hashes passwords: two at once, since each takes 128 MiB and a processor for some tenths of a
    /// second.
    ///
    /// Eight are 1.6 seconds' worth where a hash takes 0.4 s, and a caller waits two; the next is
    /// told "busy" at once.
    let hashing = BoundedQueue("password hashing", .init(width: 2, capacity: 8))
    /// Searches the list of stolen passwords, one search at a time: its disk may be slow or hang.
    ///
    /// A caller waits two seconds, and hashing takes some tenths of one: after a second it goes on
    /// without a result.
    let searching = BoundedQueue(
        "list of stolen passwords",
        .init(width: 1, capacity: 4, timeMax: 1_000)
    )
    let sessions: SessionCache
    let tokens = VerifiedTokenCache()
    /// The external issuer that authenticates accounts; nil where this service does.
    let external: TrustedIssuer?
    /// Whether a password alone is not enough to sign in.
    public let requiresPasskey: Bool
    /// The rules for new passwords.
    let rules: PasswordRules
    /// Receives the fault that prevented a new password; the user only reads that it was refused.
    let onPasswordCheckFault: @Sendable (IdentityFault) -> Void
    private let loadedKeys: Mutex<LoadedKeys>
    /// The hash that is compared for an unknown name, so that the comparison takes as long as for a
    /// known one.
    let unknownNameHash: PasswordHash

    private struct LoadedKeys {
        var keys: SigningKeys
        var checkedAt: Int64
    }

    /// Opens the accounts of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder; created where it does not exist.
    ///   - issuer: The `iss` claim of tokens.
    ///   - audience: The `aud` claim of tokens.
    ///   - external: The external issuer that signs people in; nil where this server does.
    ///   - requiresPasskey: Whether a password alone is not enough to sign in.
    ///   - rules: The rules for new passwords.
    ///   - limits: The lifetimes of sessions, codes and tokens.
    ///   - onRecordEntry: Receives the position of every entry of the access record, to be kept
    ///     elsewhere.
    ///   - onPasswordCheckFault: Receives the fault where a new password could not be checked
    ///     against the list of stolen passwords; the user only reads that it was refused.
    ///   - isDemo: Whether passwords are published anyway, so that hashing them need not be slow.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault``.
    public init(
        _ folder: IdentityFolder,
        issuer: String,
        audience: String = "triptych",
        external: ExternalIssuer? = nil,
        requiresPasskey: Bool = false,
        rules: PasswordRules = PasswordRules(),
        limits: SessionLimits = SessionLimits(),
        onRecordEntry: @escaping @Sendable (AccessEntry.Event, AccessRecord.Position) -> Void = {
            _,
            _ in
        },
        onPasswordCheckFault: @escaping @Sendable (IdentityFault) -> Void = { _ in },
        isDemo: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) async throws {
        try folder.prepare()
        self.folder = folder
        (self.issuer, self.audience, self.limits, self.now) = (issuer, audience, limits, now)
        self.requiresPasskey = requiresPasskey
        (self.rules, self.onPasswordCheckFault) = (rules, onPasswordCheckFault)
        secret = try folder.secret()
        record = AccessRecord(folder, secret: secret, note: onRecordEntry)
        // Before the accounts: where they are, a record without its head was tampered with.
        if !folder.hasAccounts, !record.hasHead { try record.begin() }
        store = try IdentityStore(folder)
        cost = isDemo ? .least : .usual
        unknownNameHash = PasswordHash(placeholder: cost)
        sessions = SessionCache(limits: limits)
        if try SigningKeys.names(folder).isEmpty { try SigningKeys.rotate(folder, now: now()) }
        let keys = try await SigningKeys(folder, now: now())
        if let external {
            self.external = try await TrustedIssuer(external)
        } else {
            self.external = nil
        }
        loadedKeys = Mutex(LoadedKeys(keys: keys, checkedAt: now()))
    }

    /// The signing keys in their folder, as read now or some seconds ago.
    func keys() async throws -> SigningKeys {
        let now = now()
        let (keys, isDue) = loadedKeys.withLock { loaded in
            // A clock that was set back does not make the keys valid for longer.
            let isDue = !(0..<limits.cacheTime).contains(now - loaded.checkedAt)
            if isDue { loaded.checkedAt = now }
            return (loaded.keys, isDue)
        }
        guard isDue else { return keys }
        // The keys are read again where a file was added or removed. Where there are several, they
        // are also read again at intervals, because a replaced key stops verifying.
        guard try SigningKeys.names(folder) != keys.fileNames || keys.publicKeys.count > 1 else {
            return keys
        }
        let read = try await SigningKeys(folder, now: now)
        loadedKeys.withLock { $0.keys = read }
        tokens.removeAll()
        return read
    }

    /// The keys that verify this server's tokens, for other programs that check them.
    ///
    /// - Throws: ``IdentityFault`` of the folder.
    public func publicKeys() async throws -> [TokenKey] { try await keys().publicKeys }

    /// Signs with a new key from now on.
    ///
    /// - Parameter withdrawing: Whether the earlier keys verify nothing from now on, because one
    ///   may have been stolen.
    /// - Returns: Its id.
    /// - Throws: ``IdentityFault`` of the folder.
    @discardableResult
    public func rotateKeys(withdrawing: Bool = false) async throws -> String {
        let detail = withdrawing ? "withdrawn" : nil
        try await record.add(AccessEntry(.keyRotated, at: now(), detail: detail))
        return try SigningKeys.rotate(folder, now: now(), withdrawing: withdrawing)
    }

    /// A keyed hash of a name, under which its failed sign-ins are counted.
    func mark(_ name: AccountName) -> String { mark(ofText: name.text) }

    /// The same for any text that was typed as a name.
    func mark(ofText text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("name \(text)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}

extension AuthenticationService {
    /// The outcome of a sign-in.
    public enum SignIn: Sendable {
        /// The person is the owner of this account.
        case accepted(SignedIn)
        /// Name or password is wrong, or the account is disabled; the answer does not show which.
        case refused
        /// Too many failures before; the seconds until a sign-in with the name is possible again.
        case closed(Int64)
        /// Too many sign-ins at once.
        case busy
    }

    /// A sign-in of a moment ago.
    public struct SignedIn: Sendable {
        /// The account.
        public let account: Account
        /// The password or passkey it was made with; it is void once that is removed or replaced.
        let proof: Proof

        /// Whether it was made with two factors: a device of the owner, and what unlocks the
        /// device.
        public var isByPasskey: Bool {
            if case .passkey = proof { true } else { false }
        }

        /// The same sign-in after its owner ended all sessions, so that the page that did so goes
        /// on.
        ///
        /// It is void where the sessions were not ended, or were ended by someone else as well.
        public var afterSignOut: SignedIn {
            var account = account
            account.signOutCount += 1
            return SignedIn(account: account, proof: proof)
        }
    }

    /// The password or passkey that a sign-in was made with.
    enum Proof: Sendable {
        case password(PasswordHash)
        case passkey(id: String)
    }

    /// Signs in with a name and a password.
    ///
    /// An unknown name takes as long as a known one, and gets the same answer.
    ///
    /// - Parameters:
    ///   - name: The name as typed.
    ///   - password: The password as typed.
    /// - Returns: The outcome.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ name: String, _ password: String) async throws -> SignIn {
        // A text that is not a valid name belongs to no account. It is hashed like a name, and all
        // such texts are counted together.
        let typed = try? AccountName(name)
        let mark = typed.map(mark) ?? mark(ofText: "?")
        let found: (Account, PasswordHash)? =
            if let typed { try await store.password(of: typed) } else { nil }
        // Space in the queue before the try is counted: a caller who finds none has not failed.
        guard let space = hashing.reserve() else { return .busy }
        let now = now()
        do {
            let closed = try await store.changing { try SignInFailures.begin(mark, now, $0) }
            if let closed {
                hashing.release(space)
                return .closed(closed)
            }
        } catch {
            hashing.release(space)
            throw error
        }
        let hash = found?.1 ?? unknownNameHash
        let isTooLong = password.utf8.count > PasswordRules.byteCountMax
        let tried = isTooLong ? "" : password
        let isRight: Bool
        do throws(BoundedQueue.Refusal) {
            isRight = try await hashing.run(in: space) { hash.matches(tried) }
        } catch {
            return .busy
        }
        guard isRight, !isTooLong, let account = found?.0, !account.isDisabled else {
            if let account = found?.0 {
                // This does not wait, because nothing waits for an unknown name.
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
}
