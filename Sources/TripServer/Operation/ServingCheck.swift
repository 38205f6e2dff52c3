import Glibc
import TripDomain
import TripMart

/// A look at everything that serving needs, which serves nothing and makes nothing.
public struct ServingCheck {
    private let settings: BackendSettings
    private let now: Int64

    /// One thing that was looked at.
    public struct Finding: Sendable {
        /// What was looked at.
        public let name: String
        /// What it is.
        public let text: String
        /// Whether it can be served like this.
        public let isGood: Bool
    }

    /// Names what would be served.
    ///
    /// - Parameters:
    ///   - settings: Where it would listen and what it would read.
    ///   - now: The time, in seconds of UTC.
    public init(_ settings: BackendSettings, now: Int64) {
        (self.settings, self.now) = (settings, now)
    }

    /// Looks at it.
    ///
    /// - Returns: What was found.
    /// - Throws: ``CertificateFault``, or ``BackendFault`` where the key file is not the mart's.
    public func findings() throws -> [Finding] {
        let backend: Backend
        let now = now
        do {
            // What there is to say is in what is found.
            backend = try Backend(settings, now: { now }, logger: Backend.silence) { _ in
                Caller.nobody
            }
        } catch {
            throw BackendFault(error)
        }
        return backend.findings(settings.martPath) + [connections]
            + (try settings.certificate.map { [try certificate($0)] } ?? [])
            + (settings.worker.map { [worker($0)] } ?? [])
            + (settings.mail.map { [letters($0)] } ?? [])
    }

    private var connections: Finding {
        let count = Backend.connectionCount()
        return Finding(
            name: "connections",
            text: "\(count) at once" + (count < 1000 ? ": raise the limit of open files" : ""),
            isGood: true
        )
    }

    private func certificate(_ paths: CertificatePaths) throws -> Finding {
        let end = try Certificate(paths).end
        let isGood = end > now
        return Finding(
            name: "certificate",
            text: isGood ? "good for \((end - now) / 86_400) days" : "past its date",
            isGood: isGood
        )
    }

    private func worker(_ worker: WorkerSettings) -> Finding {
        let text =
            if WorkerProcess.program == nil {
                "triptych lies neither beside this program nor where programs are looked for"
            } else if access(worker.pipelinePath, R_OK) != 0 {
                "\(worker.pipelinePath) cannot be read"
            } else if access(settings.martPath, W_OK) != 0 {
                "\(settings.martPath) cannot be written by this account"
            } else {
                nil as String?
            }
        return Finding(name: "worker", text: text ?? "can work", isGood: text == nil)
    }

    private func letters(_ mail: MailSettings) -> Finding {
        let isThere = mail.command.first.flatMap(ChildProcess.path) != nil
        return Finding(
            name: "mail command",
            text: isThere ? "is there" : "there is no program of this name",
            isGood: isThere
        )
    }
}

extension Backend {
    /// What it would answer from.
    fileprivate func findings(_ martPath: String) -> [ServingCheck.Finding] {
        lookForNewerGeneration()
        let served = board.folder.current
        let state = served.map { "\($0.header.number) of \($0.header.publishedAt)" }
        let isThere = access(martPath, F_OK) == 0
        let nothing = isThere ? "nothing is published" : "there is no folder \(martPath)"
        return [
            ServingCheck.Finding(
                name: "generation",
                text: (state ?? nothing)
                    + (board.isFallenBack ? ", an older one: the newest cannot be read" : ""),
                // Nothing published yet is what a first start finds.
                isGood: isThere && !board.isFallenBack
            ),
            ServingCheck.Finding(
                name: "single trips",
                text: board.keyRing.keys == nil ? "not served: there is no key file" : "served",
                isGood: true
            ),
        ]
    }
}
