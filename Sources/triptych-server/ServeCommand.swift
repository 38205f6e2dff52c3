import ArgumentParser
import Glibc
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
            published meanwhile is served from the next request on; one that cannot be read leaves \
            the one before it in place.

            Every setting may be given as a flag, in the environment, or in a file of lines TRIPTYCH_NAME=value; the \
            first of them wins. --check says what it would serve, and how, and ends.

            --demo signs people in with accounts that are made for it and gone after it; it serves generated \
            trips and no others, on this machine alone.

            SIGTERM and SIGINT end it after the answers that are under way.
            """
    )

    @Option(help: "A file of settings, as lines TRIPTYCH_NAME=value.")
    var config: String?

    @OptionGroup var flags: ServeFlags

    @Flag(help: "Serve generated trips to accounts that exist while it runs.")
    var demo = false

    @Flag(help: "Log every request: its route, status and time, and nothing of what was asked.")
    var logRequests = false

    @Flag(help: "Say what would be served, and how, and end: 78 where it cannot be.")
    var check = false

    func run() async throws {
        let settings: ServeSettings
        do {
            settings = try ServeSettings(
                flags,
                config.map { path throws(ConfigurationFile.Fault) in
                    try ConfigurationFile(path: path)
                } ?? ConfigurationFile(),
                isDemo: demo
            )
        } catch {
            try CommandFailure.end("\(error)", status: 78)
        }
        do {
            try await serve(settings)
        } catch let fault as CertificateFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch let fault as IdentityFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch let fault as BackendFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch let code as ExitCode {
            throw code
        } catch {
            // What the system says may name paths; it goes nowhere.
            try CommandFailure.end(
                check
                    ? "something that serving needs cannot be read."
                    : "cannot listen at \(settings.host):\(settings.port), or not go on; is the port taken?",
                status: 74
            )
        }
    }

    private func serve(_ settings: ServeSettings) async throws {
        let logger = settings.logFormat.logger("triptych-server")
        if check { return try await look(settings) }
        let stay = try demo ? DemoStay(logger: logger) : nil
        defer { stay?.end() }
        let authority = try await Authority(
            stay?.folder ?? IdentityFolder(path: settings.identityPath),
            issuer: settings.issuer,
            foreign: settings.foreign,
            requiresPasskey: settings.requiresPasskey,
            isDemo: demo,
            now: { Int64(time(nil)) }
        )
        try await stay?.fill(authority)
        let client = OAuthClient(id: "triptych-dashboard", redirectURIs: Set(settings.redirectURIs))
        let server = try Backend(
            settings.backend(logsRequests: logRequests, servesGeneratedTripsOnly: demo),
            authority: authority,
            clients: [client],
            now: { Int64(time(nil)) },
            logger: logger
        )
        try await server.run()
    }

    /// Looks at everything that serving needs, and makes nothing: who looks may be another account than who serves.
    private func look(_ settings: ServeSettings) async throws {
        let folder = IdentityFolder(path: settings.identityPath)
        try await settings.foreign?.check()
        let count = folder.isMade && !demo ? try IdentityStore.accountCount(folder) : 0
        let findings = try ServingCheck(
            settings.backend(logsRequests: logRequests, servesGeneratedTripsOnly: demo),
            now: Int64(time(nil))
        ).findings()
        let accounts = count == 0 ? "none: triptych-server user add" : "\(count)"
        let rows =
            settings.rows + findings.map { [$0.name, $0.text] } + [
                ["accounts", demo ? "those of the demo" : accounts]
            ]
        for line in TextTable.lines(rows) { Output.line(line) }
        guard findings.allSatisfy(\.isGood) else { throw ExitCode(78) }
    }
}

/// Where it listens and what it reads: flags, each of which is also a setting.
struct ServeFlags: ParsableArguments {
    @Option(help: "The mart's folder. [env: TRIPTYCH_MART] (default: data/mart)")
    var mart: String?

    @Option(
        help: "The key file. [env: TRIPTYCH_KEY_FILE] (default: the mart's path + .key, if there)"
    )
    var keyFile: String?

    @Option(
        help:
            "The folder of accounts and keys. [env: TRIPTYCH_IDENTITY] (default: the mart's path + .identity)"
    )
    var identity: String?

    @Option(help: "The address to listen at. [env: TRIPTYCH_HOST] (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port; 0 takes a free one and names it. [env: TRIPTYCH_PORT] (default: 8080)")
    var port: Int?

    @Option(
        help: "The certificate and those it was signed with, in PEM. [env: TRIPTYCH_CERTIFICATE]"
    )
    var certificate: String?

    @Option(
        help:
            "Its private key, in PEM, readable by its owner alone. [env: TRIPTYCH_CERTIFICATE_KEY]"
    )
    var certificateKey: String?

    @Option(
        help: "The address people reach it at. [env: TRIPTYCH_ISSUER] (default: from host and port)"
    )
    var issuer: String?

    @Option(
        help:
            "Where else people are sent back to after sign-in; may be repeated. [env: TRIPTYCH_REDIRECT_URIS, blanks between]"
    )
    var redirectUri: [String] = []

    @Option(
        help: ArgumentHelp(
            "The pipeline that runs asked for are carried out with, by a process beside this one. [env: TRIPTYCH_WITH_WORKER]",
            valueName: "pipeline"
        )
    )
    var withWorker: String?

    @Option(
        help:
            "The folder of its reference files. [env: TRIPTYCH_REFERENCE] (default: data/reference)"
    )
    var reference: String?

    @Option(
        help:
            "The program that takes letters to those who have forgotten their password, and its arguments. [env: TRIPTYCH_MAIL_COMMAND] (example: /usr/sbin/sendmail -t -i)"
    )
    var mailCommand: String?

    @Option(help: "Whom those letters are from. [env: TRIPTYCH_MAIL_FROM]")
    var mailFrom: String?

    @Option(
        help: ArgumentHelp(
            "offered or required: whether a password alone lets somebody in. [env: TRIPTYCH_PASSKEYS] (default: offered)",
            valueName: "word"
        )
    )
    var passkeys: String?

    @Option(
        help:
            "Open connections of one address; 0 for any number. [env: TRIPTYCH_CONNECTIONS_PER_ADDRESS] (default: 500)"
    )
    var connectionsPerAddress: Int?

    @Option(
        help:
            "Tries to sign in of one address within a minute; 0 for any number. [env: TRIPTYCH_SIGN_INS_PER_ADDRESS] (default: 60)"
    )
    var signInsPerAddress: Int?

    @Option(
        help:
            "text or json: the form of the log on standard error. [env: TRIPTYCH_LOG_FORMAT] (default: text)"
    )
    var logFormat: String?

    @OptionGroup(title: "Another issuer") var foreign: ForeignFlags
}

/// Another server that says who somebody is, in place of this one.
struct ForeignFlags: ParsableArguments {
    @Option(
        help:
            "What its tokens name as their maker: people sign in there, and not here. [env: TRIPTYCH_FOREIGN_ISSUER]"
    )
    var foreignIssuer: String?

    @Option(
        help:
            "What its tokens name as their reader. [env: TRIPTYCH_FOREIGN_AUDIENCE] (default: triptych)"
    )
    var foreignAudience: String?

    @Option(
        help:
            "The file of its public keys (JWKS), which is read again when it is replaced. [env: TRIPTYCH_FOREIGN_KEYS]"
    )
    var foreignKeys: String?

    @Option(
        help:
            "The claim that names an account here: sub, preferred_username or email (a verified one). [env: TRIPTYCH_FOREIGN_NAME_CLAIM] (default: sub)"
    )
    var foreignNameClaim: String?
}
