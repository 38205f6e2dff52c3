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
            published meanwhile is served from the next request on; one that cannot be read leaves \
            the one before it in place.

            --demo signs people in with accounts that are made for it and gone after it; it serves generated \
            trips and no others, on this machine alone.

            SIGTERM and SIGINT end it after the answers that are under way.
            """
    )

    @OptionGroup var places: PlaceOptions

    @Option(
        help: "The key file. [env: TRIPTYCH_KEY_FILE] (default: the mart's path + .key, if there)"
    )
    var keyFile: String?

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes a free one and names it.")
    var port = 8080

    @Option(
        help: "The certificate and those it was signed with, in PEM: serves HTTPS, TLS 1.3 alone."
    )
    var certificate: String?

    @Option(help: "The certificate's private key, in PEM, readable by its owner alone.")
    var certificateKey: String?

    @Option(help: "The address people reach it at. (default: from --host and --port)")
    var issuer: String?

    @Option(help: "Where else the dashboard may be sent back to after sign-in; may be repeated.")
    var redirectUri: [String] = []

    @Flag(help: "Serve generated trips to accounts that exist while it runs.")
    var demo = false

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--certificate and --certificate-key go together.")
        }
        guard certificate != nil && !demo || isLoopback else {
            throw ValidationError(
                "--host must be 127.0.0.1, ::1 or localhost without a certificate and with --demo; it is '\(host)'."
            )
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must lie between 0 and 65535; it is \(port).")
        }
        guard port != 0 || issuer != nil else {
            throw ValidationError(
                "--port 0 needs --issuer: people cannot sign in at an address nobody knows."
            )
        }
        for address in redirectURIs where !OAuthClient.mayRedirect(to: address) {
            throw ValidationError(
                "'\(address)' is no address to send people back to: it is whole, without '#', and https, "
                    + "or http on this machine."
            )
        }
    }

    func run() async throws {
        let logger = Logger(label: "triptych-server") {
            StreamLogHandler.standardError(label: $0)
        }
        do {
            let stay = try demo ? DemoStay(logger: logger) : nil
            defer { stay?.end() }
            let authority = try await Authority(
                stay?.folder ?? places.identityFolder,
                issuer: origin,
                isDemo: demo,
                now: { Int64(time(nil)) }
            )
            try await stay?.fill(authority)
            let server = try Backend(
                settings,
                authority: authority,
                clients: [OAuthClient(id: "triptych-dashboard", redirectURIs: Set(redirectURIs))],
                now: { Int64(time(nil)) },
                logger: logger
            )
            try await server.run()
        } catch let fault as CertificateFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch let fault as IdentityFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch let fault as BackendFault {
            try CommandFailure.end("\(fault)", status: 78)
        } catch {
            // What the system says may name paths; it goes nowhere.
            try CommandFailure.end("cannot listen at \(host):\(port); is it taken?", status: 74)
        }
    }

    private var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// The server's address as people see it, without a slash at its end.
    private var origin: String {
        let scheme = certificate == nil ? "http" : "https"
        let name = host.contains(":") ? "[\(host)]" : host
        let text = issuer ?? "\(scheme)://\(name):\(port)"
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private var redirectURIs: [String] { [origin + "/"] + redirectUri }

    private var settings: BackendSettings {
        BackendSettings(
            martPath: places.martPath,
            keyPath: namedKeyPath ?? places.martPath + ".key",
            requiresKey: namedKeyPath != nil,
            host: host,
            port: port,
            certificate: certificatePaths,
            servesGeneratedTripsOnly: demo
        )
    }

    private var namedKeyPath: String? { keyFile ?? Environment.text("KEY_FILE") }

    private var certificatePaths: CertificatePaths? {
        guard let certificate, let certificateKey else { return nil }
        return CertificatePaths(chain: certificate, key: certificateKey)
    }
}
