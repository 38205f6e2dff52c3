import JWTKit

extension AuthenticationService {
    /// The tokens that a client gets: an access token for requests and a refresh token for the next
    /// pair.
    public struct Grant: Sendable {
        /// The access token, which is sent with requests.
        public let accessToken: String
        /// For how many seconds it is valid.
        public let lifetime: Int64
        /// The refresh token, with which the client gets the next pair.
        public let refreshToken: String
        /// The session that the tokens belong to.
        public let session: Session
    }

    /// The outcome of a request for tokens.
    public enum GrantOutcome: Sendable {
        /// They were granted.
        case granted(Grant)
        /// They were not; the reason is not returned.
        case refused
        /// A replaced refresh token was used again: its session has ended.
        case reused(Session)
    }

    /// Makes a code for a person who has just signed in.
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - signedIn: The sign-in.
    /// - Returns: The code, valid once and for a minute; nil where the proof of the sign-in is gone
    ///   meanwhile or not enough, or the account is disabled.
    /// - Throws: ``IdentityFault`` of the store.
    public func code(
        _ request: AuthorizationRequest,
        for signedIn: SignedIn
    ) async throws(IdentityFault) -> String? {
        guard signedIn.isByPasskey || !requiresPasskey else { return nil }
        return try await store.makeCode(request, for: signedIn, now: now(), limits)
    }

    /// Redeems a code and begins a session.
    ///
    /// - Parameter redemption: The code, and the proof that it belongs to the client.
    /// - Returns: The outcome.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func redeem(_ redemption: CodeRedemption) async throws -> GrantOutcome {
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

    /// Replaces a refresh token by the next one.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clientID: The client that uses it.
    /// - Returns: The outcome.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func refresh(_ token: String, clientID: String) async throws -> GrantOutcome {
        // Uses that the store does not know of yet also keep a session open.
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

    /// Ends the session of an access or refresh token; an unknown token is ignored (RFC 7009).
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clientID: The client that revokes it.
    /// - Throws: ``IdentityFault`` of the store or the record; where the record fails, the session
    ///   has already ended.
    public func revoke(_ token: String, clientID: String) async throws {
        var session = try await store.session(ofRefreshToken: token)
        if session == nil, let claims = try await claims(token) {
            session = try await store.session(claims.sessionID)
        }
        guard let session, session.clientID == clientID else { return }
        let now = now()
        let isEnded = try await store.end(session.id, .signedOut, now: now)
        sessions.remove(session.id)
        // The end is recorded once per session, and afterwards: a sign-out must not depend on the
        // record.
        guard isEnded else { return }
        try await record.add(AccessEntry(.signedOut, at: now, account: session.account.id))
    }

    /// The session of a request's access token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The session; nil where the token is not of this server, not valid now, or its
    ///   session is over.
    /// - Throws: ``IdentityFault`` of the store, or of the keys.
    public func session(of token: String) async throws -> Session? {
        guard let claims = try await claims(token) else { return nil }
        let session = try await sessions.session(claims.sessionID, now: now(), store)
        guard let session, String(session.account.id) == claims.subject,
            session.clientID == claims.clientID
        else { return nil }
        return session
    }

    /// The claims of a token that is of this server and valid now.
    private func claims(_ token: String) async throws -> AccessToken? {
        if let external { return try await claims(token, external) }
        let now = now()
        let digest = VerifiedTokenCache.digest(of: token)
        let known = try await keys()
        if let (claims, keyID) = tokens.claims(digest) {
            guard known.publicKeys.contains(where: { $0.id == keyID }) else { return nil }
            return claims.isGood(at: now, issuer: issuer, audience: audience, limits) ? claims : nil
        }
        guard let id = TokenHeader.keyID(of: token),
            known.publicKeys.contains(where: { $0.id == id })
        else { return nil }
        // The reason for a refusal is not returned, and the library's message would quote the
        // token.
        let claims = try? await known.collection.verify(token, as: AccessToken.self)
        guard let claims, claims.isGood(at: now, issuer: issuer, audience: audience, limits) else {
            return nil
        }
        tokens.keep(claims, keyID: id, digest)
        return claims
    }

    /// The claims of a valid token of an external issuer.
    private func claims(_ token: String, _ trust: TrustedIssuer) async throws -> AccessToken? {
        let digest = VerifiedTokenCache.digest(of: token)
        if let (claims, keyID) = tokens.claims(digest) {
            return trust.keys.ids.contains(keyID) && now() < claims.expiresAt ? claims : nil
        }
        guard let (claims, keyID) = try await externalClaims(token, trust) else { return nil }
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
