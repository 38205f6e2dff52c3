import GRDB

extension Authority {
    /// What came of a name and a password.
    public enum SignIn: Sendable {
        /// They are who they say.
        case accepted(SignedIn)
        /// Name or password is wrong, or the account is disabled: nothing tells which.
        case refused
        /// Too many wrong ones before; for how many seconds nobody can sign in as the name.
        case closed(Int64)
        /// Too many sign in at once.
        case busy
    }

    /// Somebody who proved a moment ago who they are.
    public struct SignedIn: Sendable {
        /// Who.
        public let account: Account
        /// By what: where that is gone by now, it was right too long ago.
        let proof: Proof

        /// Whether they proved it by two factors: a device of theirs, and what unlocks it.
        public var isByPasskey: Bool {
            if case .passkey = proof { true } else { false }
        }

        /// The same, once all their sessions were ended by themselves: the page that asked for it goes on.
        ///
        /// Where they were not, or were ended by somebody else besides, it is good for nothing.
        public var afterSignOut: SignedIn {
            var account = account
            account.signOutCount += 1
            return SignedIn(account: account, proof: proof)
        }
    }

    /// What somebody proved who they are by.
    enum Proof: Sendable {
        case password(PasswordHash)
        case passkey(id: String)
    }

    /// Finds out whether somebody is who they say.
    ///
    /// A name that nobody has takes as long as one that somebody has, and says the same.
    ///
    /// - Parameters:
    ///   - name: What they typed as their name.
    ///   - password: What they typed as their password.
    /// - Returns: What came of it.
    /// - Throws: ``IdentityFault`` of the store.
    public func signIn(_ name: String, _ password: String) async throws -> SignIn {
        // What is no name is nobody's; it is hashed like one, and all of it is counted together.
        let typed = try? AccountName(name)
        let mark = typed.map(mark) ?? mark(ofText: "?")
        let found: (Account, PasswordHash)? =
            if let typed { try await store.password(of: typed) } else { nil }
        // A seat before it is counted: whoever finds none free has not failed.
        guard let seat = bench.seat() else { return .busy }
        let now = now()
        do {
            let closed = try await store.changing { try SignInFailures.begin(mark, now, $0) }
            if let closed {
                bench.leave(seat)
                return .closed(closed)
            }
        } catch {
            bench.leave(seat)
            throw error
        }
        let hash = found?.1 ?? nobody
        let isTooLong = password.utf8.count > PasswordRules.byteCountMax
        let tried = isTooLong ? "" : password
        let isRight = await bench.run(in: seat) { hash.matches(tried) }
        guard isRight, !isTooLong, let account = found?.0, !account.isDisabled else {
            if let account = found?.0 {
                // Not waited for, as nothing is where nobody has the name.
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
