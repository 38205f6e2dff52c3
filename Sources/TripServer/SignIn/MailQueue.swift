import Logging
import ServiceLifecycle
import TripIdentity

/// Sends e-mail to users who reset their password, and to users whose passwords or passkeys have
/// changed, after their request was answered: how long the answer takes says nothing of whether
/// there is an account.
///
/// Names are looked up one after another, and messages are sent one after another beside that: a
/// mail program that is slow does not hold up the look-ups, which would show that a message was
/// sent.
struct MailQueue: Service {
    private let authentication: AuthenticationService
    private let mail: MailSettings
    private let logger: Logger
    private let names = Waiting<String>(countMax: 100)
    private let messages = Waiting<EmailMessage>(countMax: 100)

    /// What waits to be worked on.
    private struct Waiting<Element: Sendable> {
        let elements: AsyncStream<Element>
        private let input: AsyncStream<Element>.Continuation

        init(countMax: Int) {
            (elements, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(countMax))
        }

        /// Adds one; false where too many wait.
        func add(_ element: Element) -> Bool {
            if case .enqueued = input.yield(element) { true } else { false }
        }
    }

    init(_ mail: MailSettings, authentication: AuthenticationService, logger: Logger) {
        (self.mail, self.authentication, self.logger) = (mail, authentication, logger)
    }

    /// Takes a request to reset the password of a name.
    ///
    /// - Parameter name: The text that was typed as a name.
    /// - Returns: Whether it was taken; not where many wait.
    func reset(_ name: String) -> Bool { names.add(name) }

    /// Tells the owner of an account that a password or passkey has changed, where the account has
    /// an address.
    func tell(_ account: Account, _ change: EmailMessage.Change) {
        let notice = EmailMessage.notice(of: change, to: account, issuer: authentication.issuer)
        if let notice { post(notice) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await name in names.elements { await lookUp(name) } }
                group.addTask { for await message in messages.elements { await send(message) } }
            }
        }
    }

    private func lookUp(_ name: String) async {
        do {
            guard let reset = try await authentication.passwordResetEmail(for: name) else { return }
            post(EmailMessage.passwordReset(reset, issuer: authentication.issuer))
        } catch {
            let code = (error as? IdentityFault)?.code ?? "internal"
            logger.error("an e-mail cannot be written", metadata: ["code": "\(code)"])
        }
    }

    /// The caller is not told where it is not taken, since that would show which names have an
    /// account.
    private func post(_ message: EmailMessage) {
        if !messages.add(message) { logger.error("an e-mail was not sent: too many wait") }
    }

    private func send(_ message: EmailMessage) async {
        let text = """
            From: \(mail.from)
            To: \(message.address)
            Subject: \(message.subject)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Auto-Submitted: auto-generated

            \(message.text)

            """
        let status = await ChildProcess.run(mail.command, input: text)
        guard status == 0 else {
            logger.error("an e-mail was not sent", metadata: ["status": "\(status ?? -1)"])
            return
        }
        logger.info("an e-mail was sent")
    }
}

/// An e-mail to a user about their account; it names no account.
struct EmailMessage: Sendable {
    /// The recipient's address.
    let address: String
    let subject: String
    let text: String
}

extension EmailMessage {
    /// A change of how a user signs in, of which the user is told.
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

    /// A notice to the owner, in case the change was made by another person (ASVS 5.0, 6.3.7).
    ///
    /// - Parameters:
    ///   - change: What has changed.
    ///   - account: The account.
    ///   - issuer: The address users sign in at.
    /// - Returns: The message; nil where the account has no address.
    static func notice(of change: Change, to account: Account, issuer: String) -> EmailMessage? {
        guard let address = account.email else { return nil }
        return EmailMessage(
            address: address,
            subject: "Your account for VA Ambulance Trip Analysis",
            text: """
                \(change.sentence)

                If it was you, nothing needs to be done. If it was not, set a new password now, which ends
                every session and removes every passkey. This page sends you an e-mail with the link for it:

                \(issuer)\(RouteTable.forgotten)

                Then tell your administrator.
                """
        )
    }

    /// A link to set a new password.
    ///
    /// - Parameters:
    ///   - reset: The link's token, and the address it is sent to.
    ///   - issuer: The address users sign in at.
    /// - Returns: The message.
    static func passwordReset(
        _ reset: AuthenticationService.PasswordResetEmail,
        issuer: String
    ) -> EmailMessage {
        EmailMessage(
            address: reset.email,
            subject: "A new password for VA Ambulance Trip Analysis",
            text: """
                A new password was asked for, for your account.

                This link sets it, once and until half an hour from now:

                \(issuer)\(RouteTable.newPassword)?token=\(reset.token)

                If you did not ask for it, delete this e-mail: your password stays as it is.
                """
        )
    }
}
