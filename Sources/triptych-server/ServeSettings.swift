import TripIdentity
import TripServer

/// The settings of a server, from flags, environment and file, checked against each other.
struct ServeSettings {
    let martPath: String
    /// Where the mart's folder is named; nil where it is the default.
    private let mart: Setting?
    let keyPath: String
    /// Whether the key file is named in the settings, so that it must be there.
    let requiresKey: Bool
    let identityPath: String
    let host: String
    let port: Int
    let certificate: CertificatePaths?
    /// The server's address as users see it, without a slash at its end.
    let issuer: String
    let redirectURIs: [String]
    /// How requested runs are carried out; nil where another process does.
    let worker: WorkerSettings?
    /// How e-mail is sent; nil sends none.
    let mail: MailSettings?
    let perAddress: AddressLimits
    /// The address of a reverse proxy whose `X-Forwarded-For` names the client; nil trusts none.
    let trustedProxy: String?
    /// The external issuer that signs users in; nil where this server does.
    let external: ExternalIssuer?
    /// Whether every request is logged, by its route.
    let logsRequests: Bool
    /// Whether a passkey is required to sign in.
    let requiresPasskey: Bool
    /// The lists that new passwords are checked against.
    let passwords: PasswordSettings
    /// Whether the folder of reference files is named in the settings, so that it must be there.
    let namesReference: Bool

    /// Brings them together; a flag wins over the environment, and that over the file.
    ///
    /// - Parameters:
    ///   - locations: Where the numbers and the accounts lie.
    ///   - flags: The flags.
    ///   - file: Environment and file.
    ///   - isDemo: Whether it serves generated trips to every user of this machine.
    /// - Throws: ``ConfigurationFile/Fault`` that says which cannot be, where it stands, and why.
    init(
        _ locations: LocationOptions,
        _ flags: ServeFlags,
        _ file: ConfigurationFile,
        isDemo: Bool
    ) throws(ConfigurationFile.Fault) {
        (martPath, identityPath) = (locations.martPath(file), locations.identityPath(file))
        mart = locations.martSetting(file)
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
        trustedProxy = try Self.trustedProxy(flags, file)
        passwords = flags.passwords.settings(file)
        external = try Self.external(flags.external, file)
        let logged = file.setting(
            "LOG_REQUESTS",
            flag: flags.logRequests.map { $0 ? "yes" : "no" }
        )
        logsRequests = try logged?.truth() ?? false
        guard external == nil || !isDemo else {
            throw .init(
                description: "--demo signs users in itself; it cannot have an external issuer."
            )
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
                "port 0 needs --issuer: users cannot sign in at an address that is not known."
            )
        }
        issuer = try Self.issuer(named, host: host, self.port, isSecure: certificate != nil)
        requiresPasskey = try Self.requiresPasskey(
            file.setting("PASSKEYS", flag: flags.passkeys),
            issuer: issuer,
            signsUsersIn: !isDemo && external == nil
        )
        // The dashboard, and the contract's pages.
        redirectURIs = try [issuer + "/", issuer + "/api"] + Self.redirectURIs(flags, file)
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
            perAddress: perAddress,
            trustedProxy: trustedProxy
        )
    }

    /// Refuses a path from which nothing can be served, before anything is made beside it.
    ///
    /// - Throws: ``ConfigurationFile/Fault`` that says what is there, and what to name instead.
    func requireMart() throws(ConfigurationFile.Fault) {
        guard let refusal = MartPath(martPath).refusal else { return }
        throw .init(mart, mart == nil ? refusal + " (data/mart is the default.)" : refusal)
    }

    /// The settings as a table.
    var rows: [[String]] {
        [
            ["mart", martPath], ["key file", keyPath], ["identity", identityPath],
            ["listens at", "\(host):\(port), " + (certificate == nil ? "plain HTTP" : "TLS 1.3")],
            ["users reach it at", issuer],
            ["sign-ins return to", redirectURIs.joined(separator: " ")],
            [
                "e-mail",
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
                "users sign in at",
                external.map { "\($0.issuer), for \($0.audience); its keys: \($0.keysPath)" }
                    ?? "this server",
            ],
            [
                "one address",
                "\(perAddress.connections) connections, \(perAddress.signIns) sign-ins a minute (0: no limit)",
            ],
            ["reverse proxy", trustedProxy.map { "\($0) names the client" } ?? "none is trusted"],
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

    private static func trustedProxy(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> String? {
        guard let setting = file.setting("TRUSTED_PROXY", flag: flags.trustedProxy) else {
            return nil
        }
        guard AddressLimits.isAddress(setting.text) else {
            throw .init(setting, "'\(setting.text)' is not an address of IPv4 or IPv6.")
        }
        return setting.text
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
            guard EmailAddress.isValid(sender.text) else {
                throw .init(sender, "'\(sender.text)' is not an e-mail address that can send.")
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

extension ServeSettings {
    /// Whether a passkey is required to sign in.
    ///
    /// - Parameters:
    ///   - setting: The setting; nil where it is not given.
    ///   - issuer: The server's address as users see it.
    ///   - signsUsersIn: Whether users sign in here, by accounts that stay.
    /// - Returns: Whether it is.
    /// - Throws: ``ConfigurationFile/Fault`` where the word is unknown, or no account could have a
    ///   passkey.
    static func requiresPasskey(
        _ setting: Setting?,
        issuer: String,
        signsUsersIn: Bool
    ) throws(ConfigurationFile.Fault) -> Bool {
        switch setting?.text {
        case nil, "offered": return false
        case "required":
            guard signsUsersIn else {
                throw .init(
                    setting,
                    "passkeys cannot be required with an external issuer or with --demo."
                )
            }
            guard WebOrigin(of: issuer)?.relyingParty != nil else {
                throw .init(
                    setting,
                    "passkeys cannot be required: browsers make none for '\(issuer)', which has no name."
                )
            }
            return true
        case let word?:
            throw .init(setting, "passkeys are offered or required; '\(word)' is neither.")
        }
    }
}

extension ServeSettings {
    /// The server's address as users see it.
    ///
    /// - Parameters:
    ///   - named: The setting; nil makes it from host and port.
    ///   - host: The address it listens at; nil is this machine.
    ///   - port: The port.
    ///   - isSecure: Whether it is served over TLS.
    /// - Returns: The address as browsers write it, without a slash at its end.
    /// - Throws: ``ConfigurationFile/Fault`` where users could not sign in at it.
    static func issuer(
        _ named: Setting?,
        host: Setting?,
        _ port: Int,
        isSecure: Bool
    ) throws(ConfigurationFile.Fault) -> String {
        let address = host?.text ?? "127.0.0.1"
        let name = address.contains(":") ? "[\(address)]" : address
        let text = named?.text ?? "\(isSecure ? "https" : "http")://\(name):\(port)"
        // Written as browsers do, which compare it with where they are.
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = WebOrigin(of: text).map { [$0.text] + parts.dropFirst(3).map(String.init) }
        let whole = origin?.joined(separator: "/") ?? text
        let issuer = whole.hasSuffix("/") ? String(whole.dropLast()) : whole
        guard OAuthClient.mayRedirect(to: issuer + "/"), !text.contains("?") else {
            throw .init(
                named ?? host,
                "'\(text)' is not an address for users: it must be a whole URL, without '?' and '#', with "
                    + "https, or http on this machine."
            )
        }
        return issuer
    }

    /// Further addresses that a sign-in returns to; flags replace the setting.
    ///
    /// - Throws: ``ConfigurationFile/Fault`` of an address that codes must not be sent to.
    static func redirectURIs(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> [String] {
        let one = flags.redirectUri.isEmpty ? nil : flags.redirectUri.joined(separator: " ")
        guard let setting = file.setting("REDIRECT_URIS", flag: one) else { return [] }
        let addresses = setting.text.split(separator: " ").map(String.init)
        for address in addresses where !OAuthClient.mayRedirect(to: address) {
            throw .init(
                setting,
                "'\(address)' is not an address to return to: it must be a whole URL, without '#', with "
                    + "https, or http on this machine."
            )
        }
        return addresses
    }
}
