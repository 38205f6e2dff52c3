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
    /// Whether every request is logged, by its route.
    let logsRequests: Bool
    /// Whether a password alone lets nobody in.
    let requiresPasskey: Bool
    /// What new passwords are held against.
    let passwords: PasswordSettings
    /// Whether somebody named the folder of reference files, so that it must be there.
    let namesReference: Bool

    /// Brings them together; a flag wins over the environment, and that over the file.
    ///
    /// - Parameters:
    ///   - places: Where the numbers and the accounts lie.
    ///   - flags: The flags.
    ///   - file: Environment and file.
    ///   - isDemo: Whether it serves generated trips to everybody on this machine.
    /// - Throws: ``ConfigurationFile/Fault`` that says which cannot be, where it stands, and why.
    init(
        _ places: PlaceOptions,
        _ flags: ServeFlags,
        _ file: ConfigurationFile,
        isDemo: Bool
    ) throws(ConfigurationFile.Fault) {
        (martPath, identityPath) = (places.martPath(file), places.identityPath(file))
        let key = file.setting("KEY_FILE", flag: flags.keyFile)
        (keyPath, requiresKey) = (key?.text ?? martPath + ".key", key != nil)
        certificate = try Self.certificate(flags, file)
        let host = file.setting("HOST", flag: flags.host)
        let port = file.setting("PORT", flag: flags.port.map { "\($0)" })
        (self.host, self.port) = (
            host?.text ?? "127.0.0.1", try port?.count("port", max: 65_535) ?? 8080
        )
        let reference = file.setting("REFERENCE", flag: flags.reference)
        namesReference = reference != nil
        worker = file.setting("WITH_WORKER", flag: flags.withWorker).map {
            WorkerSettings(
                pipelinePath: $0.text,
                referencePath: reference?.text ?? "data/reference"
            )
        }
        mail = try Self.mail(flags, file)
        perAddress = try Self.perAddress(flags, file)
        passwords = flags.passwords.settings(file)
        foreign = try Self.foreign(flags.foreign, file)
        let logged = file.setting(
            "LOG_REQUESTS",
            flag: flags.logRequests.map { $0 ? "yes" : "no" }
        )
        logsRequests = try logged?.truth() ?? false
        guard foreign == nil || !isDemo else {
            throw .init(description: "--demo signs people in here; it goes with no other issuer.")
        }
        let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(self.host)
        guard certificate != nil && !isDemo || isLoopback else {
            throw .init(
                host,
                "the host must be 127.0.0.1, ::1 or localhost without a certificate and with --demo; "
                    + "it is '\(self.host)'."
            )
        }
        let named = file.setting("ISSUER", flag: flags.issuer)
        guard self.port != 0 || named != nil else {
            throw .init(
                port,
                "port 0 needs --issuer: people cannot sign in at an address nobody knows."
            )
        }
        issuer = try Self.issuer(named, host: host, self.port, isSecure: certificate != nil)
        requiresPasskey = try Self.requiresPasskey(
            file.setting("PASSKEYS", flag: flags.passkeys),
            issuer: issuer,
            signsPeopleIn: !isDemo && foreign == nil
        )
        redirectURIs = try [issuer + "/"] + Self.redirectURIs(flags, file)
    }

    /// What the backend is made with.
    ///
    /// - Parameter servesGeneratedTripsOnly: Whether no others are served.
    /// - Returns: Where it listens and what it reads.
    func backend(servesGeneratedTripsOnly: Bool) -> BackendSettings {
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
            ["new passwords", passwords.text],
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

    private static func perAddress(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> AddressLimits {
        let usual = AddressLimits()
        let connections = file.setting(
            "CONNECTIONS_PER_ADDRESS",
            flag: flags.connectionsPerAddress.map { "\($0)" }
        )
        let signIns = file.setting(
            "SIGN_INS_PER_ADDRESS",
            flag: flags.signInsPerAddress.map { "\($0)" }
        )
        return AddressLimits(
            connections: try connections?.count("connections per address") ?? usual.connections,
            signIns: try signIns?.count("sign-ins per address") ?? usual.signIns
        )
    }

    private static func certificate(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> CertificatePaths? {
        let chain = file.setting("CERTIFICATE", flag: flags.certificate)
        let key = file.setting("CERTIFICATE_KEY", flag: flags.certificateKey)
        switch (chain, key) {
        case (let chain?, let key?): return CertificatePaths(chain: chain.text, key: key.text)
        case (nil, nil): return nil
        default:
            throw .init(
                chain ?? key,
                "a certificate and its key go together; only one of them is named."
            )
        }
    }

    private static func mail(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> MailSettings? {
        let command = file.setting("MAIL_COMMAND", flag: flags.mailCommand)
        let sender = file.setting("MAIL_FROM", flag: flags.mailFrom)
        let words = (command?.text ?? "").split(separator: " ").map(String.init)
        switch (words.isEmpty, sender) {
        case (true, nil): return nil
        case (false, let sender?):
            guard EmailAddress.isOne(sender.text) else {
                throw .init(sender, "'\(sender.text)' is no address that letters can be from.")
            }
            return MailSettings(command: words, from: sender.text)
        default:
            throw .init(
                sender ?? command,
                "a mail command and its sender go together; only one of them is named."
            )
        }
    }
}
