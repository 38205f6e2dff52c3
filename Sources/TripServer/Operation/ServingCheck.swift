import Glibc
import TripDomain
import TripMart

/// A look at everything that serving needs, which serves nothing and makes nothing.
public struct ServingCheck {
    private let settings: BackendSettings
    private let requiresReference: Bool
    private let now: Int64

    /// One thing that was looked at.
    public struct Finding: Sendable {
        /// What was looked at.
        public let name: String
        /// What it is.
        public let text: String
        /// Whether it can be served like this.
        public let isGood: Bool

        /// Says what was found.
        public init(_ name: String, _ text: String, isGood: Bool) {
            (self.name, self.text, self.isGood) = (name, text, isGood)
        }
    }

    /// Names what would be served.
    ///
    /// - Parameters:
    ///   - settings: Where it would listen and what it would read.
    ///   - requiresReference: Whether somebody named the folder of reference files, so that it must be there.
    ///   - now: The time, in seconds of UTC.
    public init(_ settings: BackendSettings, requiresReference: Bool = false, now: Int64) {
        (self.settings, self.requiresReference, self.now) = (settings, requiresReference, now)
    }

    /// Looks at it.
    ///
    /// - Returns: What was found, whether it is good or not.
    /// - Complexity: O(*n*) in the bytes of the served generation, which are compared with their check sums.
    public func findings() -> [Finding] {
        published + [ListeningLook.finding(settings.host, settings.port), connections]
            + (settings.certificate.map { [certificate($0)] } ?? [])
            + (settings.worker.map { [worker($0)] } ?? [])
            + (settings.mail.map { [letters($0)] } ?? [])
    }

    /// What it would answer from.
    private var published: [Finding] {
        let now = now
        do {
            // What there is to say is in what is found.
            let backend = try Backend(settings, now: { now }, logger: Backend.silence) { _ in
                Caller.nobody
            }
            return backend.findings(settings.martPath)
        } catch {
            return [Finding("key file", "\(error)", isGood: false)]
        }
    }

    private var connections: Finding {
        let count = Backend.connectionCount()
        let text = "\(count) at once" + (count < 1000 ? ": raise the limit of open files" : "")
        return Finding("connections", text, isGood: true)
    }

    private func certificate(_ paths: CertificatePaths) -> Finding {
        do {
            let end = try Certificate(paths).end
            guard end > now else { return Finding("certificate", "past its date", isGood: false) }
            let text = "good for \((end - now) / 86_400) days"
            return Finding("certificate", text, isGood: true)
        } catch {
            return Finding("certificate", "\(error)", isGood: false)
        }
    }

    private func worker(_ worker: WorkerSettings) -> Finding {
        let text =
            if WorkerProcess.program == nil {
                "triptych lies neither beside this program nor where programs are looked for"
            } else if access(worker.pipelinePath, R_OK) != 0 {
                "\(worker.pipelinePath) cannot be read"
            } else if requiresReference, access(worker.referencePath, R_OK | X_OK) != 0 {
                "\(worker.referencePath) cannot be read"
            } else if access(settings.martPath, W_OK) != 0 {
                "\(settings.martPath) cannot be written by this account"
            } else {
                nil as String?
            }
        return Finding("worker", text ?? "can work", isGood: text == nil)
    }

    private func letters(_ mail: MailSettings) -> Finding {
        let isThere = mail.command.first.flatMap(ChildProcess.path) != nil
        let text = isThere ? "is there" : "there is no program of this name"
        return Finding("mail command", text, isGood: isThere)
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
        let mayServe = served.map(board.mayServe) ?? true
        return [
            ServingCheck.Finding(
                "generation",
                (state ?? nothing)
                    + (board.isFallenBack ? ", an older one: the newest cannot be read" : "")
                    + (mayServe
                        ? "" : ": its trips are no generated ones, and the demo serves no others"),
                // Nothing published yet is what a first start finds.
                isGood: isThere && !board.isFallenBack && mayServe
            )
        ] + (served.map { [sums($0.header.number, martPath)] } ?? []) + [
            ServingCheck.Finding(
                "single trips",
                board.keyRing.keys == nil ? "not served: there is no key file" : "served",
                isGood: true
            )
        ]
    }

    /// Whether a generation has the bytes that were published.
    private func sums(_ number: Int, _ martPath: String) -> ServingCheck.Finding {
        do throws(MartError) {
            try SumFile.verify(MartFolder(path: martPath).generationPath(number))
            return .init("check sums", "every byte is as published", isGood: true)
        } catch {
            return .init("check sums", "\(error)", isGood: false)
        }
    }
}
