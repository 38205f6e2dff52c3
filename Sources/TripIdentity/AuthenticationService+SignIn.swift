import GRDB

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
