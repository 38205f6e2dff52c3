import Logging
import ServiceLifecycle
import TripIdentity

/// Sends letters to those who have forgotten their password, and to those whose ways in have changed, after they were
/// answered: how long an answer takes tells nothing.
///
/// Names are looked up one after another, whoever has them, and letters sent one after another beside that: a program
/// that takes long to send one does not keep names waiting, which would tell that one was sent.
struct LetterRoom: Service {
    private let authority: Authority
    private let mail: MailSettings
    private let logger: Logger
    private let names = Tray<String>(sizeMax: 100)
    private let letters = Tray<Letter>(sizeMax: 100)

    /// What waits for somebody to take it up.
    private struct Tray<Element: Sendable> {
        let elements: AsyncStream<Element>
        private let input: AsyncStream<Element>.Continuation

        init(sizeMax: Int) {
            (elements, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(sizeMax))
        }

        /// Puts something in; false where it is full.
        func put(_ element: Element) -> Bool {
            if case .enqueued = input.yield(element) { true } else { false }
        }
    }

    init(_ mail: MailSettings, authority: Authority, logger: Logger) {
        (self.mail, self.authority, self.logger) = (mail, authority, logger)
    }

    /// Takes a name up.
    ///
    /// - Parameter name: What somebody typed as one.
    /// - Returns: Whether it was taken; not where many wait.
    func ask(for name: String) -> Bool { names.put(name) }

    /// Tells somebody what has changed about their ways in, where they have an address.
    func tell(_ account: Account, _ change: Letter.Change) {
        guard let letter = Letter.word(of: change, to: account, issuer: authority.issuer) else {
            return
        }
        post(letter)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await name in names.elements { await look(name) } }
                group.addTask { for await letter in letters.elements { await send(letter) } }
            }
        }
    }

    private func look(_ name: String) async {
        do {
            guard let letter = try await authority.resetLetter(for: name) else { return }
            post(Letter.newPassword(letter, issuer: authority.issuer))
        } catch {
            let code = (error as? IdentityFault)?.code ?? "internal"
            logger.error("a letter cannot be written", metadata: ["code": "\(code)"])
        }
    }

    /// Nobody is told where it is not taken, since that would tell who has an account.
    private func post(_ letter: Letter) {
        if !letters.put(letter) { logger.error("a letter was not sent: many are waiting") }
    }

    private func send(_ letter: Letter) async {
        let text = """
            From: \(mail.from)
            To: \(letter.address)
            Subject: \(letter.subject)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Auto-Submitted: auto-generated

            \(letter.text)

            """
        let status = await ChildProcess.run(mail.command, input: text)
        guard status == 0 else {
            logger.error("a letter was not sent", metadata: ["status": "\(status ?? -1)"])
            return
        }
        logger.info("a letter was sent")
    }
}
