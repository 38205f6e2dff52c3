import Crypto

extension Authority {
    /// What passkeys of this server are for; nil where browsers make none for its address.
    public var relyingParty: String? { WebOrigin(of: issuer)?.relyingParty }

    /// What a passkey signs to sign somebody in.
    public func passkeyChallenge() -> String {
        PasskeyChallenge(secret: secret).text(now: now())
    }

    /// Finds out whether a passkey is somebody's (Web Authentication, §7.2).
    ///
    /// - Parameter signing: What the browser handed over.
    /// - Returns: Who they are; ``SignIn/refused`` where anything of it is not as it must be, whatever that is.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ signing: PasskeySigning) async throws -> SignIn {
        let now = now()
        guard let origin = WebOrigin(of: issuer), let party = origin.relyingParty,
            let known = try await store.passkey(signing.id),
            let client = ClientData(signing.clientData, for: .signing, by: origin),
            let end = PasskeyChallenge(secret: secret).end(of: client.challenge, now: now),
            let data = AuthenticatorData(signing.data, for: party),
            signing.userHandle == nil || signing.userHandle == handle(of: known.account.id)
        else { return .refused }
        var reading = CBORReading(known.cose[...])
        let isRight =
            reading.value().flatMap { PasskeyKey(cose: $0) }.map { key in
                let hash = Array(SHA256.hash(data: signing.clientData))
                return key.isSignature(signing.signature, of: signing.data + hash)
            } ?? false
        let account = known.account
        guard isRight, !account.isDisabled,
            try await store.usePasskey(
                signing.id,
                signCount: data.signCount,
                challenge: (client.challenge, end),
                now: now
            )
        else {
            let entry = AccessEntry(.signInRefused, at: now, account: account.id, detail: "passkey")
            try await record.add(entry)
            return .refused
        }
        let entry = AccessEntry(.signedIn, at: now, account: account.id, detail: "passkey")
        try await record.add(entry)
        return .accepted(SignedIn(account: account, proof: .passkey(id: signing.id)))
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
        try await record.add(AccessEntry(.passkeyAdded, at: now, account: account))
        return try await store.add(
            data,
            made,
            challenge: (client.challenge, end),
            for: owner,
            now: now
        )
    }

    /// The passkeys of an account, the oldest first.
    ///
    /// - Throws: ``IdentityFault`` of the store.
    public func passkeys(of account: Account) async throws(IdentityFault) -> [Passkey] {
        try await store.passkeys(of: account.id)
    }

    /// The passkeys of the account of a name, the oldest first.
    ///
    /// - Throws: ``IdentityFault/noSuchAccount(_:)``, or of the store.
    public func passkeys(of name: AccountName) async throws(IdentityFault) -> [Passkey] {
        guard let account = try await store.account(named: name) else {
            throw .noSuchAccount(name.text)
        }
        return try await store.passkeys(of: account.id)
    }

    /// Removes a passkey; sessions that began with it go on.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - owner: Whose it is, who has just signed in.
    /// - Returns: Whether they had one of the name.
    /// - Throws: ``IdentityFault`` of the store.
    public func removePasskey(_ id: String, of owner: SignedIn) async throws -> Bool {
        try await record.add(AccessEntry(.passkeyRemoved, at: now(), account: owner.account.id))
        return try await store.removePasskey(id, of: owner.account.id)
    }

    /// Removes a passkey of an account, whose sessions end: a device was lost.
    ///
    /// - Parameters:
    ///   - id: The passkey.
    ///   - name: The account.
    /// - Throws: ``IdentityFault``.
    public func removePasskey(_ id: String, of name: AccountName) async throws {
        guard let account = try await store.account(named: name) else {
            throw IdentityFault.noSuchAccount(name.text)
        }
        try await record.add(AccessEntry(.passkeyRemoved, at: now(), subject: name.text))
        guard try await store.removePasskey(id, of: account.id) else {
            throw IdentityFault.noSuchPasskey(id)
        }
        try await store.endSessions(of: account.id, .passkeyRemoved, now: now())
        sessions.removeAll()
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
