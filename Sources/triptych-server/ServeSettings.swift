import TripIdentity
import TripServer

/// The settings of a server, from flags, environment and file, checked against each other.
struct ServeSettings {
    let martPath: String
    let keyPath: String
    /// Whether somebody named the key file, so that it must be there.
    let requiresKey: Bool
    let identityPath: String
    let host: String
    let port: Int
    let certificate: CertificatePaths?
    /// The server's address as people see it, without a slash at its end.
    let issuer: String
    let redirectURIs: [String]
    /// What carries out the runs that are asked for; nil where something else does.
    let worker: WorkerSettings?
    /// What letters are sent with; nil sends none.
    let mail: MailSettings?

    /// Brings them together; a flag wins over the environment, and that over the file.
    ///
    /// - Parameters:
    ///   - flags: The flags.
    ///   - file: Environment and file.
    ///   - isDemo: Whether it serves generated trips to everybody on this machine.
    /// - Throws: ``ConfigurationFile/Fault`` that says which cannot be, and why.
    init(
        _ flags: ServeFlags,
        _ file: ConfigurationFile,
        isDemo: Bool
    ) throws(ConfigurationFile.Fault) {
        martPath = flags.mart ?? file["MART"] ?? "data/mart"
        let namedKey = flags.keyFile ?? file["KEY_FILE"]
        (keyPath, requiresKey) = (namedKey ?? martPath + ".key", namedKey != nil)
        identityPath = flags.identity ?? file["IDENTITY"] ?? martPath + ".identity"
        host = flags.host ?? file["HOST"] ?? "127.0.0.1"
        port = try Self.port(flags.port, file["PORT"])
        certificate = try Self.certificate(
            flags.certificate ?? file["CERTIFICATE"],
            flags.certificateKey ?? file["CERTIFICATE_KEY"]
        )
        worker = (flags.withWorker ?? file["WITH_WORKER"]).map {
            WorkerSettings(
                pipelinePath: $0,
                referencePath: flags.reference ?? file["REFERENCE"] ?? "data/reference"
            )
        }
        mail = try Self.mail(
            flags.mailCommand ?? file["MAIL_COMMAND"],
            flags.mailFrom ?? file["MAIL_FROM"]
        )
        let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
        guard certificate != nil && !isDemo || isLoopback else {
            throw .init(
                description:
                    "the host must be 127.0.0.1, ::1 or localhost without a certificate and with --demo; "
                    + "it is '\(host)'."
            )
        }
        let named = flags.issuer ?? file["ISSUER"]
        guard port != 0 || named != nil else {
            throw .init(
                description:
                    "port 0 needs --issuer: people cannot sign in at an address nobody knows."
            )
        }
        issuer = Self.issuer(named, host, port, isSecure: certificate != nil)
        let fromFile = (file["REDIRECT_URIS"] ?? "").split(separator: " ").map(String.init)
        redirectURIs = [issuer + "/"] + (flags.redirectUri.isEmpty ? fromFile : flags.redirectUri)
        for address in redirectURIs where !OAuthClient.mayRedirect(to: address) {
            throw .init(
                description:
                    "'\(address)' is no address to send people back to: it is whole, without '#', and "
                    + "https, or http on this machine."
            )
        }
    }

    /// What the backend is made with.
    func backend(logsRequests: Bool, servesGeneratedTripsOnly: Bool) -> BackendSettings {
        BackendSettings(
            martPath: martPath,
            keyPath: keyPath,
            requiresKey: requiresKey,
            host: host,
            port: port,
            certificate: certificate,
            servesGeneratedTripsOnly: servesGeneratedTripsOnly,
            logsRequests: logsRequests,
            worker: worker,
            mail: mail
        )
    }

    /// The settings as a table.
    var rows: [[String]] {
        [
            ["mart", martPath], ["key file", keyPath], ["identity", identityPath],
            ["listens at", "\(host):\(port), " + (certificate == nil ? "plain HTTP" : "TLS 1.3")],
            ["people reach it at", issuer],
            ["people are sent back to", redirectURIs.joined(separator: " ")],
            [
                "letters",
                mail.map { "sent with \($0.command.joined(separator: " "))" } ?? "not sent",
            ],
            [
                "passkeys",
                WebOrigin(of: issuer)?.relyingParty.map { "for \($0)" }
                    ?? "none: the address has no name",
            ],
            ["runs", worker.map { "carried out with \($0.pipelinePath)" } ?? "queued for others"],
        ]
    }

    private static func port(
        _ flag: Int?,
        _ text: String?
    ) throws(ConfigurationFile.Fault) -> Int {
        let port = flag ?? text.map { Int($0) ?? -1 } ?? 8080
        guard (0...65_535).contains(port) else {
            throw .init(
                description:
                    "the port must lie between 0 and 65535; it is '\(flag.map(String.init) ?? text ?? "")'."
            )
        }
        return port
    }

    private static func certificate(
        _ chain: String?,
        _ key: String?
    ) throws(ConfigurationFile.Fault) -> CertificatePaths? {
        switch (chain, key) {
        case (let chain?, let key?): CertificatePaths(chain: chain, key: key)
        case (nil, nil): nil
        default:
            throw .init(
                description: "a certificate and its key go together; only one of them is named."
            )
        }
    }

    private static func mail(
        _ command: String?,
        _ sender: String?
    ) throws(ConfigurationFile.Fault) -> MailSettings? {
        let words = (command ?? "").split(separator: " ").map(String.init)
        switch (words.isEmpty, sender) {
        case (true, nil): return nil
        case (false, let sender?):
            guard EmailAddress.isOne(sender) else {
                throw .init(description: "'\(sender)' is no address that letters can be from.")
            }
            return MailSettings(command: words, from: sender)
        default:
            throw .init(
                description: "a mail command and its sender go together; only one of them is named."
            )
        }
    }

    private static func issuer(
        _ named: String?,
        _ host: String,
        _ port: Int,
        isSecure: Bool
    ) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        let text = named ?? "\(isSecure ? "https" : "http")://\(name):\(port)"
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
