import Crypto
import GRDB

extension AuthenticationService {
    /// The relying party of this server's passkeys; nil where browsers make none for its address.
    public var relyingParty: String? { WebOrigin(of: issuer)?.relyingParty }

    /// The challenge that a passkey signs at a sign-in.
    public func passkeyChallenge() -> String {
        PasskeyChallenge(secret: secret).text(now: now())
    }

    /// The next challenge after one that failed: the device did not verify its owner, or the
    /// signature was refused.
    ///
    /// The challenge counts the attempts, so that the server decides whether another is allowed,
    /// and not the page.
    ///
    /// - Parameter challenge: The challenge that failed.
    /// - Returns: The next challenge; nil after three failures in a row, when a password is
    ///   required.
    public func passkeyChallenge(afterFailing challenge: String) -> String? {
        let (challenges, now) = (PasskeyChallenge(secret: secret), now())
        let count = Int(challenges.failureCount(of: challenge, now: now)) + 1
        guard count < Self.passkeyFailureMax else { return nil }
        return challenges.text(now: now, failureCount: UInt8(count))
    }

    /// The most attempts in a row that may fail.
    private static var passkeyFailureMax: Int { 3 }

    /// Signs in with a passkey (Web Authentication, §7.2).
    ///
    /// - Parameter signing: The browser's answer.
    /// - Returns: The account; ``SignIn/refused`` where any part of the answer is wrong, whichever
    ///   it is.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ signing: PasskeyAssertion) async throws -> SignIn {
        let now = now()
        guard let known = try await store.passkey(signing.id) else { return .refused }
        let account = known.account
        guard known.failureCount < Self.passkeyFailureMax,
            let (signCount, challenge) = good(signing, of: known, at: now), !account.isDisabled,
            try await store.usePasskey(
                signing.id,
                signCount: signCount,
                challenge: challenge,
                now: now
            )
        else {
            try await store.notePasskeyFailure(signing.id)
            let entry = AccessEntry(.signInRefused, at: now, account: account.id, detail: "passkey")
            try await record.add(entry)
            return .refused
        }
        let entry = AccessEntry(.signedIn, at: now, account: account.id, detail: "passkey")
        try await record.add(entry)
        return .accepted(SignedIn(account: account, proof: .passkey(id: signing.id)))
    }

    /// The sign count and challenge of a valid signature; nil where it is not valid.
    private func good(
        _ signing: PasskeyAssertion,
        of known: IdentityStore.KnownPasskey,
        at now: Int64
    ) -> (signCount: Int64, challenge: (text: String, end: Int64))? {
        var reading = CBORReading(known.cose[...])
        guard let origin = WebOrigin(of: issuer), let party = origin.relyingParty,
            let client = ClientData(signing.clientData, for: .signing, by: origin),
            let end = PasskeyChallenge(secret: secret).end(of: client.challenge, now: now),
            let data = AuthenticatorData(signing.data, for: party),
            signing.userHandle == nil || signing.userHandle == handle(of: known.account.id),
            let key = reading.value().flatMap({ PasskeyKey(cose: $0) }),
            key.isSignature(
                signing.signature,
                of: signing.data + Array(SHA256.hash(data: signing.clientData))
            )
        else { return nil }
        return (data.signCount, (client.challenge, end))
    }

    /// The options with which a browser creates a passkey.
    public struct PasskeyCreationOptions: Sendable {
        /// The challenge that the new passkey signs.
        public let challenge: String
        /// The user handle of the account: not its name, and the same for all its passkeys.
        public let userHandle: String
        /// The algorithms allowed, by their COSE numbers.
        public let algorithms: [Int64]
    }

    /// The options for a person who has just signed in to create a passkey.
    ///
    /// - Parameter owner: The sign-in.
    /// - Returns: The options, valid for ten minutes.
    public func invitation(for owner: SignedIn) -> PasskeyCreationOptions {
        let challenge = PasskeyChallenge(secret: secret, making: owner.account.id)
        return PasskeyCreationOptions(
            challenge: challenge.text(now: now()),
            userHandle: handle(of: owner.account.id),
            algorithms: PasskeyKey.algorithms
        )
    }

    /// Adds a passkey (Web Authentication, §7.1).
    ///
    /// - Parameters:
    ///   - making: The browser's answer.
    ///   - owner: The sign-in of the account that gets it.
    /// - Returns: Whether it was added; false where any part of the answer is wrong.
    /// - Throws: ``IdentityFault`` of the store.
    public func addPasskey(_ making: PasskeyRegistration, for owner: SignedIn) async throws -> Bool
    {
        let (now, account) = (now(), owner.account.id)
        let challenge = PasskeyChallenge(secret: secret, making: account)
        guard let origin = WebOrigin(of: issuer), let party = origin.relyingParty,
            let client = ClientData(making.clientData, for: .making, by: origin),
            let end = challenge.end(of: client.challenge, now: now),
            let data = making.data(for: party), let credential = data.credential
        else { return false }
        var reading = CBORReading(credential.cose[...])
        guard let key = reading.value(), PasskeyKey(cose: key) != nil else { return false }
        let id = Base64URL.text(credential.credentialID)
        return try await change(entry(.passkeyAdded, id, account)) { [self] db in
            try mayChange(owner, isAdding: true, db)
                && IdentityStore.mayAdd(id, (client.challenge, end), for: owner, db)
        } _: { db in
            try IdentityStore.add(data, credential, (client.challenge, end), to: account, now, db)
        }
    }

    /// The entry of an event of a passkey, which the record names by the beginning of a hash.
    private func entry(
        _ event: AccessEntry.Event,
        _ id: String,
        _ account: Int64?,
        subject: String? = nil
    ) -> AccessEntry {
        let mark = String(RandomText.mark(id).prefix(12))
        return AccessEntry(event, at: now(), account: account, subject: subject, detail: mark)
    }

    /// Whether the owner may manage the account, depending on how they signed in.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func mayManageAccount(_ owner: SignedIn) async throws(IdentityFault) -> Bool {
        try await store.reading { [self] db in try mayChange(owner, isAdding: true, db) }
    }

    /// Whether the owner may change how the account is signed in to, depending on how they signed
    /// in.
    ///
    /// A password is required, so that a person who finds an unlocked device cannot add a passkey.
    /// Where the server requires passkeys, a passkey is required; a password alone then allows only
    /// to add the first passkey.
    func mayChange(
        _ owner: SignedIn,
        isAdding: Bool = false,
        _ db: Database
    ) throws -> Bool {
        guard try IdentityStore.holds(owner, db) else { return false }
        if owner.isByPasskey == requiresPasskey { return true }
        guard requiresPasskey, isAdding else { return false }
        return try !IdentityStore.hasPasskey(owner.account.id, db)
    }

    /// The passkeys of an account, the oldest first.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func passkeys(of account: Account) async throws(IdentityFault) -> [Passkey] {
        try await store.passkeys(of: account.id)
    }

    /// Removes a passkey; the account's sessions end, since one may have begun with it.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - owner: The owner's sign-in.
    /// - Returns: Whether the account had the passkey, and the proof of the sign-in is still valid.
    /// - Throws: ``IdentityFault`` of the store.
    public func removePasskey(_ id: String, of owner: SignedIn) async throws -> Bool {
        let account = owner.account.id
        let entry = entry(.passkeyRemoved, id, account)
        return try await removePasskey(id, of: account, entry) { [self] db in
            try mayChange(owner, db)
        }
    }

    /// Removes a passkey of an account, whose sessions end: a device was lost.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func removePasskey(_ id: String, of name: AccountName) async throws {
        let account = try await account(named: name).id
        let entry = entry(.passkeyRemoved, id, nil, subject: name.text)
        guard try await removePasskey(id, of: account, entry, where: { _ in true }) else {
            throw IdentityFault.noSuchPasskey(id)
        }
    }

    private func removePasskey(
        _ id: String,
        of account: Int64,
        _ entry: AccessEntry,
        where mayBe: @escaping @Sendable (Database) throws -> Bool
    ) async throws -> Bool {
        let now = now()
        let isRemoved = try await change(entry) { db in
            guard try mayBe(db) else { return false }
            return try IdentityStore.has(id, account: account, db)
        } _: { db in
            try IdentityStore.removePasskey(id, of: account, now, db)
        }
        if isRemoved { sessions.invalidateAll() }
        return isRemoved
    }

    /// The user handle of an account, for authenticators.
    private func handle(of account: Int64) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("user handle \(account)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}
