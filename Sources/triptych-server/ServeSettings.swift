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
    let perAddress: AddressLimits
    /// Another server that says who somebody is; nil where this one does.
    let foreign: ForeignIssuer?
    let logFormat: LogFormat
    /// Whether a password alone lets nobody in.
    let requiresPasskey: Bool

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
        port = try Self.count(flags.port, file["PORT"], "port", max: 65_535) ?? 8080
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
        perAddress = try Self.perAddress(flags, file)
        foreign = try Self.foreign(flags.foreign, file)
        logFormat = try LogFormat(setting: flags.logFormat ?? file["LOG_FORMAT"])
        guard foreign == nil || !isDemo else {
            throw .init(description: "--demo signs people in here; it goes with no other issuer.")
        }
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
        requiresPasskey = try Self.requiresPasskey(
            flags.passkeys ?? file["PASSKEYS"],
            issuer: issuer,
            signsPeopleIn: !isDemo && foreign == nil
        )
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
            mail: mail,
            perAddress: perAddress
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
                WebOrigin(of: issuer)?.relyingParty.map {
                    "for \($0)" + (requiresPasskey ? ", required" : "")
                } ?? "none: the address has no name",
            ],
            [
                "people sign in at",
                foreign.map { "\($0.issuer), for \($0.audience); its keys: \($0.keysPath)" }
                    ?? "this server",
            ],
            [
                "one address",
                "\(perAddress.connections) connections, \(perAddress.signIns) sign-ins a minute (0: any number)",
            ],
            ["runs", worker.map { "carried out with \($0.pipelinePath)" } ?? "queued for others"],
        ]
    }

    /// A number of a flag or of text; nil where neither is there.
    private static func count(
        _ flag: Int?,
        _ text: String?,
        _ name: String,
        max: Int = 60_000
    ) throws(ConfigurationFile.Fault) -> Int? {
        guard let number = flag ?? text.map({ Int($0) ?? -1 }) else { return nil }
        guard (0...max).contains(number) else {
            throw .init(
                description:
                    "the \(name) must lie between 0 and \(max); it is '\(flag.map(String.init) ?? text ?? "")'."
            )
        }
        return number
    }

    private static func perAddress(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> AddressLimits {
        AddressLimits(
            connections: try Self.count(
                flags.connectionsPerAddress,
                file["CONNECTIONS_PER_ADDRESS"],
                "connections per address"
            ) ?? AddressLimits().connections,
            signIns: try Self.count(
                flags.signInsPerAddress,
                file["SIGN_INS_PER_ADDRESS"],
                "sign-ins per address"
            ) ?? AddressLimits().signIns
        )
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
        // Written as browsers do, which compare it with where they are.
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = WebOrigin(of: text).map { [$0.text] + parts.dropFirst(3).map(String.init) }
        let whole = origin?.joined(separator: "/") ?? text
        return whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    }
}
