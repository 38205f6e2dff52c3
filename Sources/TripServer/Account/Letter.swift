import TripIdentity

/// A letter to somebody about their account; it names nobody.
struct Letter: Sendable {
    /// Where to.
    let address: String
    let subject: String
    let text: String
}

extension Letter {
    /// What has changed about how somebody signs in, of which they are told.
    enum Change {
        case passwordSet
        case passkeyAdded
        case passkeyRemoved

        fileprivate var sentence: String {
            switch self {
            case .passwordSet: "The password of your account was set."
            case .passkeyAdded: "A passkey was added to your account."
            case .passkeyRemoved:
                "A passkey was removed from your account, which is signed out everywhere."
            }
        }
    }

    /// A word to the owner, in case it was somebody else (ASVS 5.0, 6.3.7).
    ///
    /// - Parameters:
    ///   - change: What has changed.
    ///   - account: Whose account it is.
    ///   - issuer: Where people sign in.
    /// - Returns: The letter; nil where the account has no address.
    static func word(of change: Change, to account: Account, issuer: String) -> Letter? {
        guard let address = account.email else { return nil }
        return Letter(
            address: address,
            subject: "Your account for VA Ambulance Trip Analysis",
            text: """
                \(change.sentence)

                If it was you, nothing needs to be done. If it was not, set a new password now, which ends
                every session and removes every passkey. This page sends you an e-mail with the link for it:

                \(issuer)\(RouteTable.forgotten)

                Then tell whoever looks after the accounts.
                """
        )
    }

    /// A way to a new password.
    ///
    /// - Parameters:
    ///   - reset: The way, and where it is sent.
    ///   - issuer: Where people sign in.
    /// - Returns: The letter.
    static func newPassword(_ reset: Authority.ResetLetter, issuer: String) -> Letter {
        Letter(
            address: reset.email,
            subject: "A new password for VA Ambulance Trip Analysis",
            text: """
                Somebody, perhaps you, has forgotten the password of your account.

                This link sets a new one, once and until half an hour from now:

                \(issuer)\(RouteTable.newPassword)?token=\(reset.token)

                If it was not you, delete this e-mail: your password stays as it is.
                """
        )
    }
}
