import Logging
import ServiceLifecycle
import TripIdentity

/// Sends letters to those who have forgotten their password, one after another and after they were answered:
/// how long an answer takes tells nothing.
struct LetterRoom: Service {
    private let authority: Authority
    private let mail: MailSettings
    private let logger: Logger
    private let names: AsyncStream<String>
    private let inbox: AsyncStream<String>.Continuation

    private static let waitingMax = 100

    init(_ mail: MailSettings, authority: Authority, logger: Logger) {
        (self.mail, self.authority, self.logger) = (mail, authority, logger)
        (names, inbox) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax)
        )
    }

    /// Takes a name up.
    ///
    /// - Parameter name: What somebody typed as one.
    /// - Returns: Whether it was taken; not where many wait.
    func ask(for name: String) -> Bool {
        if case .enqueued = inbox.yield(name) { true } else { false }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await name in names {
                do {
                    guard let letter = try await authority.resetLetter(for: name) else { continue }
                    await send(letter)
                } catch {
                    logger.error("a letter cannot be written")
                }
            }
        }
    }

    private func send(_ letter: Authority.ResetLetter) async {
        let text = """
            From: \(mail.from)
            To: \(letter.email)
            Subject: A new password for VA Ambulance Trip Analysis
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Auto-Submitted: auto-generated

            Somebody, perhaps you, has forgotten the password of your account.

            This opens a way to a new one, once and until half an hour from now:

            \(authority.issuer)\(RouteTable.newPassword)?token=\(letter.token)

            If it was not you, nothing needs to be done: your password stays as it is.

            """
        let status = await ChildProcess.run(mail.command, input: text)
        guard status == 0 else {
            logger.error("a letter was not sent", metadata: ["status": "\(status ?? -1)"])
            return
        }
        logger.info("a letter was sent")
    }
}
