import ArgumentParser
import Glibc
import Logging
import TripDomain
import TripIdentity
import TripServer
import TripText

/// `triptych-server serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the published generation until it is told to stop.",
        discussion: """
            Users sign in with the accounts that 'triptych-server user add' makes, and see what their roles \
            allow. Over plain HTTP it listens on this machine alone; with a certificate it serves HTTPS, TLS 1.3 \
            alone, at any address; a renewed certificate is used within a second. Four times a second it checks for a newly \
            published generation, which it serves once its bytes match its check sums; where one cannot be read, the \
            one before stays in service.

            Every setting may be given as a flag, in the environment, or in a file of lines TRIPTYCH_NAME=value; the \
            first of them wins. --demo and --check are flags alone.

            --check opens everything that serving needs, prints what would be served, and how, and ends. It changes \
            nothing, and compares the whole generation with its check sums: seconds for every gigabyte. Run it as \
            the account that serves, also beside a server that runs.

            --demo makes accounts that exist while it runs, and prints their names, roles and password; it serves \
            generated trips and no others, on this machine alone. It removes what a demo that was killed left in /tmp.

            As soon as it listens it prints the generation it serves and the address to open, and warns where \
            nothing is published yet or no account can sign in. With --log-format json these are lines of the log, \
            and a terminal shows them plainly as well. A mart that is no folder is refused (78).

            SIGTERM and SIGINT stop it: it answers requests that are under way, and ends a quarter of a second later.
            """
    )

    @OptionGroup var locations: LocationOptions
    @OptionGroup var flags: ServeFlags

    @Flag(help: "Serve generated trips to accounts that exist while it runs.")
    var demo = false

    @Flag(help: "Print what would be served, and how, and end: 78 where it cannot be.")
    var check = false

    func run() async throws {
        var log = LogFormat.text
        let settings: ServeSettings
        do {
            let file = try locations.file()
            log = try LogFormat(file.setting("LOG_FORMAT", flag: flags.logFormat))
            settings = try ServeSettings(locations, flags, file, isDemo: demo)
        } catch {
            try log.end("\(error)", status: 78)
        }
        if check { return try await report(settings, log) }
        do {
            try await serve(settings, log)
        } catch let fault as CertificateFault {
            try log.end("\(fault)", status: 78)
        } catch let fault as IdentityFault {
            try log.end("\(fault)", status: CommandFailure.status(of: fault))
        } catch let fault as ConfigurationFile.Fault {
            try log.end("\(fault)", status: 78)
        } catch let fault as BackendFault {
            try log.end("\(fault)", status: fault.status)
        } catch {
            // The system's text may name paths; it is not logged.
            try log.end(
                "cannot listen at \(settings.host):\(settings.port), or not go on. Is the port taken, or the "
                    + "address none of this machine's? Run: triptych-server serve --check",
                status: 74
            )
        }
    }

    private func serve(_ settings: ServeSettings, _ log: LogFormat) async throws {
        let logger = log.logger("triptych-server")
        // Before a folder of accounts is made beside a mistyped name.
        try settings.requireMart()
        // The demo's password is public.
        let rules = try demo ? PasswordRules() : settings.passwords.rules()
        let stay = try demo ? DemoStay() : nil
        defer { stay?.end() }
        let authentication = try await AuthenticationService(
            stay?.folder ?? IdentityFolder(path: settings.identityPath),
            issuer: settings.issuer,
            external: settings.external,
            requiresPasskey: settings.requiresPasskey,
            rules: rules,
            // A record that was replaced by an older one is found by a position in the log, which
            // lies elsewhere.
            onRecordEntry: { event, position in
                logger.info(
                    "recorded",
                    metadata: ["event": "\(event.rawValue)", "entry": "\(position.text)"]
                )
            },
            onPasswordCheckFault: { fault in
                logger.error(
                    "a new password cannot be checked against the list of stolen ones",
                    metadata: ["code": "\(fault.code)"]
                )
            },
            isDemo: demo,
            now: { Int64(time(nil)) }
        )
        try await stay?.fill(authentication)
        let audience = demo ? StartAudience.demo : try await accountsAtStart(settings)
        let client = OAuthClient(id: "triptych-dashboard", redirectURIs: Set(settings.redirectURIs))
        let server = try Backend(
            settings.backend(servesGeneratedTripsOnly: demo),
            authentication: authentication,
            clients: [client],
            now: { Int64(time(nil)) },
            logger: logger
        )
        try await server.run(for: audience) { log.say($0, logger) }
    }

    /// The accounts that there are, and how one is added.
    private func accountsAtStart(_ settings: ServeSettings) async throws -> StartAudience {
        let folder = IdentityFolder(path: settings.identityPath)
        let check = try await IdentityCheck(folder, now: Int64(time(nil)))
        let words = ["triptych-server", "user", "add", "NAME", "--role", "administrator"]
        return .accounts(
            count: check.accountCount,
            command: (words + locations.words).map(ShellWord.quoted).joined(separator: " ")
        )
    }

    /// Checks everything that serving needs, and creates nothing: it may run as another account
    /// than the server.
    private func report(_ settings: ServeSettings, _ log: LogFormat) async throws {
        let check = ServingCheck(
            settings.backend(servesGeneratedTripsOnly: demo),
            requiresReference: settings.namesReference,
            now: Int64(time(nil))
        )
        let findings =
            await check.findings() + [accounts(settings)] + passwords(settings)
            + issuerKeys(settings)
        let rows = settings.rows + findings.map { [$0.name, $0.text] }
        for line in TextTable.lines(rows) { Output.line(line) }
        let faults = findings.filter { !$0.isGood }.map { "\($0.name): \($0.text)" }
        guard faults.isEmpty else {
            try log.end(
                "it cannot be served with these settings. \(faults.joined(separator: " | "))",
                status: 78
            )
        }
    }

    private func accounts(_ settings: ServeSettings) async -> ServingCheck.Finding {
        if demo { return .init("accounts", "those of the demo", isGood: true) }
        do throws(IdentityFault) {
            let folder = IdentityFolder(path: settings.identityPath)
            let count = try await IdentityCheck(folder, now: Int64(time(nil))).accountCount
            let text = count == 0 ? "none: triptych-server user add" : "\(count)"
            return .init("accounts", text, isGood: true)
        } catch {
            return .init("accounts", "\(error)", isGood: false)
        }
    }

    private func passwords(_ settings: ServeSettings) -> [ServingCheck.Finding] {
        guard !demo, !settings.passwords.isEmpty else { return [] }
        do throws(ConfigurationFile.Fault) {
            _ = try settings.passwords.rules()
            return [.init("lists for passwords", "can be used", isGood: true)]
        } catch {
            return [.init("lists for passwords", "\(error)", isGood: false)]
        }
    }

    private func issuerKeys(_ settings: ServeSettings) async -> [ServingCheck.Finding] {
        guard let external = settings.external else { return [] }
        do {
            try await external.check()
            return [.init("the issuer's keys", "can be used", isGood: true)]
        } catch let fault as IdentityFault {
            return [.init("the issuer's keys", "\(fault)", isGood: false)]
        } catch {
            // A library's text may quote what it read.
            return [
                .init(
                    "the issuer's keys",
                    "\(external.keysPath) is not a key set (JWKS)",
                    isGood: false
                )
            ]
        }
    }
}
