import Crypto
import GRDB

extension Authority {
    /// What passkeys of this server are for; nil where browsers make none for its address.
    public var relyingParty: String? { WebOrigin(of: issuer)?.relyingParty }

    /// What a passkey signs to sign somebody in.
    public func passkeyChallenge() -> String {
        PasskeyChallenge(secret: secret).text(now: now())
    }

    /// What the next passkey signs where one came to nothing: the device did not know its owner, or what it signed is not good.
    ///
    /// The challenge counts the tries, so that whoever is let try again is decided here and not by the page.
    ///
    /// - Parameter challenge: The one that came to nothing.
    /// - Returns: The next; nil after three in a row, when a password is asked for.
    public func passkeyChallenge(afterFailing challenge: String) -> String? {
        let (maker, now) = (PasskeyChallenge(secret: secret), now())
        let count = Int(maker.failureCount(of: challenge, now: now)) + 1
        guard count < Self.passkeyFailureMax else { return nil }
        return maker.text(now: now, failureCount: UInt8(count))
    }

    /// Tries in a row that may come to nothing.
    private static var passkeyFailureMax: Int { 3 }

    /// Finds out whether a passkey is somebody's (Web Authentication, §7.2).
    ///
    /// - Parameter signing: What the browser handed over.
    /// - Returns: Who they are; ``SignIn/refused`` where anything of it is not as it must be, whatever that is.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ signing: PasskeySigning) async throws -> SignIn {
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

    /// What is in a signature that is as it must be; nil where it is not.
    private func good(
        _ signing: PasskeySigning,
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

    /// What a browser is asked to make a passkey with.
    public struct PasskeyInvitation: Sendable {
        /// What the new passkey signs.
        public let challenge: String
        /// What authenticators know the account by: no name, and the same for all its passkeys.
        public let userHandle: String
        /// The algorithms it may have, by their numbers.
        public let algorithms: [Int64]
    }

    /// Invites somebody who has just signed in to make a passkey.
    ///
    /// - Parameter owner: Who signed in.
    /// - Returns: The invitation, good for ten minutes.
    public func invitation(for owner: SignedIn) -> PasskeyInvitation {
        let challenge = PasskeyChallenge(secret: secret, making: owner.account.id)
        return PasskeyInvitation(
            challenge: challenge.text(now: now()),
            userHandle: handle(of: owner.account.id),
            algorithms: PasskeyKey.algorithms
        )
    }

    /// Adds a passkey (Web Authentication, §7.1).
    ///
    /// - Parameters:
    ///   - making: What the browser handed over.
    ///   - owner: Whose it will be, who has just signed in.
    /// - Returns: Whether it was added; not where anything of it is not as it must be.
    /// - Throws: ``IdentityFault`` of the store.
    public func addPasskey(_ making: PasskeyMaking, for owner: SignedIn) async throws -> Bool {
        let (now, account) = (now(), owner.account.id)
        let challenge = PasskeyChallenge(secret: secret, making: account)
        guard let origin = WebOrigin(of: issuer), let party = origin.relyingParty,
            let client = ClientData(making.clientData, for: .making, by: origin),
            let end = challenge.end(of: client.challenge, now: now),
            let data = making.data(for: party), let made = data.made
        else { return false }
        var reading = CBORReading(made.cose[...])
        guard let key = reading.value(), PasskeyKey(cose: key) != nil else { return false }
        let id = Base64URL.text(made.credentialID)
        return try await change(entry(.passkeyAdded, id, account)) { [self] db in
            try mayChange(owner, isAdding: true, db)
                && IdentityStore.mayAdd(id, (client.challenge, end), for: owner, db)
        } _: { db in
            try IdentityStore.add(data, made, (client.challenge, end), to: account, now, db)
        }
    }

    /// Something that happens to a passkey, which the record names by the beginning of a hash.
    private func entry(
        _ event: AccessEntry.Event,
        _ id: String,
        _ account: Int64?,
        subject: String? = nil
    ) -> AccessEntry {
        let mark = String(RandomText.mark(id).prefix(12))
        return AccessEntry(event, at: now(), account: account, subject: subject, detail: mark)
    }

    /// Whether somebody may look after their account, by what they signed in with.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func mayLookAfter(_ owner: SignedIn) async throws(IdentityFault) -> Bool {
        try await store.looking { [self] db in try mayChange(owner, isAdding: true, db) }
    }

    /// Whether somebody may change how their account is signed in to, by what they signed in with.
    ///
    /// Their password is asked for, so that who finds a device unlocked adds none of their own. Where a passkey is required,
    /// that; a password alone then adds the first and does nothing else.
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
    ///   - owner: Whose it is, who has just signed in.
    /// - Returns: Whether they had one of the name, and have still what they signed in with.
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
        if isRemoved { sessions.lookAgain() }
        return isRemoved
    }

    /// What authenticators know an account by.
    private func handle(of account: Int64) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("user handle \(account)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}
