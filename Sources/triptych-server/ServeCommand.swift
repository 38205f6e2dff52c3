import ArgumentParser
import Glibc
import Logging
import TripIdentity
import TripServer

/// `triptych-server serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the published generation until it is told to stop.",
        discussion: """
            People sign in with the accounts that 'triptych-server user add' makes, and see what their roles \
            allow. Over plain HTTP it listens on this machine alone; with a certificate it serves HTTPS, TLS 1.3 \
            alone, at any address; a certificate that is renewed is taken up within a second. A generation that is \
            published meanwhile is looked for four times a second, and served once its bytes have been compared with \
            its check sums; one that cannot be read leaves the one before it in place.

            Every setting may be given as a flag, in the environment, or in a file of lines TRIPTYCH_NAME=value; the \
            first of them wins. --demo and --check are no settings, and flags alone.

            --check opens everything that serving needs, says what would be served, and how, and ends. It changes \
            nothing, and compares the whole generation with its check sums: seconds for every gigabyte. Run it as \
            the account that serves, also beside a server that runs.

            --demo signs people in with accounts that are made for it and gone after it; it serves generated \
            trips and no others, on this machine alone. What one that was killed left in /tmp the next one removes.

            SIGTERM and SIGINT end it a quarter of a second later, after the answers that are under way.
            """
    )

    @OptionGroup var places: PlaceOptions
    @OptionGroup var flags: ServeFlags

    @Flag(help: "Serve generated trips to accounts that exist while it runs.")
    var demo = false

    @Flag(help: "Say what would be served, and how, and end: 78 where it cannot be.")
    var check = false

    func run() async throws {
        var log = LogFormat.text
        let settings: ServeSettings
        do {
            let file = try places.file()
            log = try LogFormat(file.setting("LOG_FORMAT", flag: flags.logFormat))
            settings = try ServeSettings(places, flags, file, isDemo: demo)
        } catch {
            try log.end("\(error)", status: 78)
        }
        if check { return try await look(settings, log) }
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
            // What the system says may name paths; it goes nowhere.
            try log.end(
                "cannot listen at \(settings.host):\(settings.port), or not go on. Is the port taken, or the "
                    + "address none of this machine's? Run: triptych-server serve --check",
                status: 74
            )
        }
    }

    private func serve(_ settings: ServeSettings, _ log: LogFormat) async throws {
        let logger = log.logger("triptych-server")
        // The demo's password is one that everybody knows.
        let rules = try demo ? PasswordRules() : settings.passwords.rules()
        let stay = try demo ? DemoStay(logger: logger) : nil
        defer { stay?.end() }
        let authority = try await Authority(
            stay?.folder ?? IdentityFolder(path: settings.identityPath),
            issuer: settings.issuer,
            foreign: settings.foreign,
            requiresPasskey: settings.requiresPasskey,
            rules: rules,
            // A record that somebody put back is found by a place in the log, which lies elsewhere.
            noting: { event, place in
                logger.info(
                    "recorded",
                    metadata: ["event": "\(event.rawValue)", "entry": "\(place.text)"]
                )
            },
            failing: { fault in
                logger.error(
                    "a new password cannot be looked up",
                    metadata: ["code": "\(fault.code)"]
                )
            },
            isDemo: demo,
            now: { Int64(time(nil)) }
        )
        try await stay?.fill(authority)
        let client = OAuthClient(id: "triptych-dashboard", redirectURIs: Set(settings.redirectURIs))
        let server = try Backend(
            settings.backend(servesGeneratedTripsOnly: demo),
            authority: authority,
            clients: [client],
            now: { Int64(time(nil)) },
            logger: logger
        )
        try await server.run()
    }

    /// Looks at everything that serving needs, and makes nothing: who looks may be another account than who serves.
    private func look(_ settings: ServeSettings, _ log: LogFormat) async throws {
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
                "it cannot be served like this. \(faults.joined(separator: " | "))",
                status: 78
            )
        }
    }

    private func accounts(_ settings: ServeSettings) async -> ServingCheck.Finding {
        if demo { return .init("accounts", "those of the demo", isGood: true) }
        do throws(IdentityFault) {
            let folder = IdentityFolder(path: settings.identityPath)
            let count = try await IdentityLook(folder, now: Int64(time(nil))).accountCount
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
        guard let foreign = settings.foreign else { return [] }
        do {
            try await foreign.check()
            return [.init("the issuer's keys", "can be used", isGood: true)]
        } catch let fault as IdentityFault {
            return [.init("the issuer's keys", "\(fault)", isGood: false)]
        } catch {
            // A library's words may quote what it read.
            return [.init("the issuer's keys", "\(foreign.keysPath) is none", isGood: false)]
        }
    }
}
