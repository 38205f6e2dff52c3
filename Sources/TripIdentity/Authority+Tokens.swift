import JWTKit

extension Authority {
    /// What a client gets: a token to ask with and one to go on with.
    public struct Grant: Sendable {
        /// What goes along with requests.
        public let accessToken: String
        /// For how many seconds it is good.
        public let lifetime: Int64
        /// What the next ones come for.
        public let refreshToken: String
        /// What the tokens belong to.
        public let session: Session
    }

    /// What came of asking for tokens.
    public enum Granting: Sendable {
        /// They were granted.
        case granted(Grant)
        /// They were not; nothing tells why.
        case refused
        /// A token came again that was replaced: its session has ended.
        case reused(Session)
    }

    /// A code for somebody who has just signed in.
    ///
    /// - Parameters:
    ///   - request: What the client asked for.
    ///   - signedIn: Who signed in.
    /// - Returns: The code, good once and for a minute; nil where what they signed in with is gone meanwhile or not
    ///   enough, or the account disabled.
    /// - Throws: ``IdentityFault`` of the store.
    public func code(
        _ request: AuthorizationRequest,
        for signedIn: SignedIn
    ) async throws(IdentityFault) -> String? {
        guard signedIn.isByPasskey || !requiresPasskey else { return nil }
        return try await store.makeCode(request, for: signedIn, now: now(), limits)
    }

    /// Takes a code and begins a session.
    ///
    /// - Parameter redemption: The code, and what proves that it is the client's.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func redeem(_ redemption: CodeRedemption) async throws -> Granting {
        let token = RandomText.secret()
        switch try await store.redeem(redemption, refreshToken: token, now: now(), limits) {
        case .begun(let session):
            return .granted(try await grant(session, token))
        case .ended(let sessionID):
            sessions.remove(sessionID)
            let account = try await store.session(sessionID)?.account.id
            try await record.add(AccessEntry(.codeReused, at: now(), account: account))
            return .refused
        case .refused:
            return .refused
        }
    }

    /// Takes a refresh token and goes on with the next.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clientID: Who hands it in.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func refresh(_ token: String, clientID: String) async throws -> Granting {
        // What was asked since the store was told last keeps a session going as well.
        if let session = try await store.session(ofRefreshToken: token),
            let usedAt = sessions.usedAt(session.id)
        {
            try await store.touch(session.id, now: usedAt)
        }
        let secret = secret
        let outcome = try await store.replace(token, clientID: clientID, now: now(), limits) {
            RefreshToken.next(after: $0, secret: secret)
        }
        switch outcome {
        case .next(let session, let next):
            return .granted(try await grant(session, next))
        case .reused(let session):
            sessions.remove(session.id)
            try await record.add(AccessEntry(.tokenReused, at: now(), account: session.account.id))
            return .reused(session)
        case .refused:
            return .refused
        }
    }

    /// Ends the session of a token, whichever of the two it is; says nothing where it is none (RFC 7009).
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clientID: Who hands it in.
    /// - Throws: ``IdentityFault`` of the store or the record; the session has ended where it is the record's.
    public func revoke(_ token: String, clientID: String) async throws {
        var session = try await store.session(ofRefreshToken: token)
        if session == nil, let claims = try await claims(token) {
            session = try await store.session(claims.sessionID)
        }
        guard let session, session.clientID == clientID else { return }
        let now = now()
        let isEnded = try await store.end(session.id, .signedOut, now: now)
        sessions.remove(session.id)
        // Once a session, however often it is asked; and afterwards, as whoever signs out is to be signed out.
        guard isEnded else { return }
        try await record.add(AccessEntry(.signedOut, at: now, account: session.account.id))
    }

    /// Who sent a token along with a request.
    ///
    /// - Parameter token: The token.
    /// - Returns: Their session; nil where the token is none of ours, not good now, or its session is over.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func session(of token: String) async throws -> Session? {
        guard let claims = try await claims(token) else { return nil }
        let session = try await sessions.session(claims.sessionID, now: now(), store)
        guard let session, String(session.account.id) == claims.subject,
            session.clientID == claims.clientID
        else { return nil }
        return session
    }

    /// What a token says, where it is one of ours and good now.
    private func claims(_ token: String) async throws -> AccessToken? {
        if let foreign { return try await claims(token, foreign) }
        let now = now()
        let digest = TokenMemory.digest(of: token)
        let known = try await keys()
        if let (claims, keyID) = tokens.claims(digest) {
            guard known.publicKeys.contains(where: { $0.id == keyID }) else { return nil }
            return claims.isGood(at: now, issuer: issuer, audience: audience, limits) ? claims : nil
        }
        guard let id = TokenHeader.keyID(of: token),
            known.publicKeys.contains(where: { $0.id == id })
        else { return nil }
        // Why it is not good is nobody's business, and the library's words would quote it.
        let claims = try? await known.collection.verify(token, as: AccessToken.self)
        guard let claims, claims.isGood(at: now, issuer: issuer, audience: audience, limits) else {
            return nil
        }
        tokens.keep(claims, keyID: id, digest)
        return claims
    }

    /// The same of a token of another issuer.
    private func claims(_ token: String, _ trust: ForeignTrust) async throws -> AccessToken? {
        let digest = TokenMemory.digest(of: token)
        if let (claims, keyID) = tokens.claims(digest) {
            return trust.keys.ids.contains(keyID) && now() < claims.expiresAt ? claims : nil
        }
        guard let (claims, keyID) = try await foreignClaims(token, trust) else { return nil }
        tokens.keep(claims, keyID: keyID, digest)
        return claims
    }

    private func grant(_ session: Session, _ refreshToken: String) async throws -> Grant {
        let keys = try await keys()
        guard let id = keys.signingID else { throw IdentityFault.noSigningKey }
        let now = now()
        let claims = AccessToken(
            issuer: issuer,
            audience: audience,
            subject: String(session.account.id),
            clientID: session.clientID,
            issuedAt: now,
            notBefore: now,
            expiresAt: now + limits.accessToken,
            id: RandomText.identifier(),
            sessionID: session.id,
            authenticatedAt: session.authenticatedAt
        )
        let header: JWTHeader = ["typ": "at+jwt"]
        let token = try await keys.collection.sign(
            claims,
            kid: JWKIdentifier(string: id),
            header: header
        )
        return Grant(
            accessToken: token,
            lifetime: limits.accessToken,
            refreshToken: refreshToken,
            session: session
        )
    }
}
