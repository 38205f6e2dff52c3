import Glibc
import TripDomain
import TripMart

/// Checks everything that serving needs; it serves nothing and creates nothing.
public struct ServingCheck {
    private let settings: BackendSettings
    private let requiresReference: Bool
    private let now: Int64

    /// One thing that was checked.
    public struct Finding: Sendable {
        /// Its name.
        public let name: String
        /// Its state.
        public let text: String
        /// Whether it can be served like this.
        public let isGood: Bool

        /// Names what was found.
        public init(_ name: String, _ text: String, isGood: Bool) {
            (self.name, self.text, self.isGood) = (name, text, isGood)
        }
    }

    /// Names what would be served.
    ///
    /// - Parameters:
    ///   - settings: Where it would listen and what it would read.
    ///   - requiresReference: Whether the folder of reference files is named in the settings, so
    ///     that it must be there.
    ///   - now: The time, in seconds of UTC.
    public init(_ settings: BackendSettings, requiresReference: Bool = false, now: Int64) {
        (self.settings, self.requiresReference, self.now) = (settings, requiresReference, now)
    }

    /// Checks it.
    ///
    /// - Returns: What was found, whether it is good or not.
    /// - Complexity: O(*n*) in the bytes of the served generation, which are compared with their
    ///   check sums.
    public func findings() -> [Finding] {
        published + [AddressCheck.finding(settings.host, settings.port), connections]
            + (settings.certificate.map { [certificate($0)] } ?? [])
            + (settings.worker.map { [worker($0)] } ?? [])
            + (settings.mail.map { [mailCommand($0)] } ?? [])
    }

    /// What it would answer from.
    private var published: [Finding] {
        let now = now
        if let fault = MartPath(settings.martPath).fault {
            return [Finding("generation", fault, isGood: false)]
        }
        do {
            // All there is to report is in the findings.
            let backend = try Backend(settings, now: { now }, logger: Backend.silence) { _ in
                Caller.unknown
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
                "triptych lies neither beside this program nor in a folder of PATH"
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

    private func mailCommand(_ mail: MailSettings) -> Finding {
        let isThere = mail.command.first.flatMap(ChildProcess.path) != nil
        let text = isThere ? "is there" : "there is no program of this name"
        return Finding("mail command", text, isGood: isThere)
    }
}

extension Backend {
    /// What it would answer from.
    fileprivate func findings(_ martPath: String) -> [ServingCheck.Finding] {
        refresh()
        let served = state.folder.current
        let text = served.map { "\($0.header.number) of \($0.header.publishedAt)" }
        let mayServe = served.map(state.mayServe) ?? true
        return [
            ServingCheck.Finding(
                "generation",
                (text ?? "nothing is published")
                    + (state.isFallenBack ? ", an older one: the newest cannot be read" : "")
                    + (mayServe
                        ? "" : ": its trips are not generated ones, and the demo serves no others"),
                // Nothing published yet is what a first start finds.
                isGood: !state.isFallenBack && mayServe
            )
        ] + (served.map { [sums($0.header.number, martPath)] } ?? []) + [
            ServingCheck.Finding(
                "single trips",
                state.keyRing.keys == nil ? "not served: there is no key file" : "served",
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

/// Checks an address to listen at by binding it for a moment; it accepts no connection meanwhile.
enum AddressCheck {
    /// Checks an address.
    ///
    /// - Parameters:
    ///   - host: Its name or number.
    ///   - port: The port; 0 is any.
    /// - Returns: What was found.
    static func finding(_ host: String, _ port: Int) -> ServingCheck.Finding {
        let (text, isGood) = state(of: host, port)
        return ServingCheck.Finding("address", text, isGood: isGood)
    }

    private static func state(of host: String, _ port: Int) -> (String, isGood: Bool) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list?.pointee else {
            return ("'\(host)' is no address, and no name that leads to one", false)
        }
        defer { freeaddrinfo(list) }
        let connection = socket(
            first.ai_family,
            first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard connection >= 0 else {
            return ("this machine has no addresses like '\(host)'", false)
        }
        defer { close(connection) }
        // As the server itself binds it, also where it served a moment ago.
        var yes: Int32 = 1
        setsockopt(
            connection,
            SOL_SOCKET,
            SO_REUSEADDR,
            &yes,
            socklen_t(MemoryLayout<Int32>.size)
        )
        guard bind(connection, first.ai_addr, first.ai_addrlen) != 0 else {
            return ("can be listened at", true)
        }
        switch errno {
        // The server itself, where the check runs beside it.
        case EADDRINUSE: return ("a program listens at it already", true)
        // A right that the service may have and the check has not.
        case EACCES: return ("needs CAP_NET_BIND_SERVICE, which this process has not", true)
        default: return ("'\(host)' is no address of this machine", false)
        }
    }
}
