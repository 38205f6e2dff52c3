import ArgumentParser
import Glibc
import Logging
import TripServer

/// `triptych-server serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the KPIs of the published generation until it is told to stop.",
        discussion: """
            Small counts are hidden from everybody, and what they would follow from; nobody has to say who \
            they are. It therefore listens on this machine alone, over HTTPS where a certificate is named; one that \
            is renewed is taken up within a second. A generation that is published meanwhile is \
            served from the next request on; one that cannot be read leaves the one before it in place.

            SIGTERM and SIGINT end it after the answers that are under way.
            """
    )

    @Option(help: "The mart's folder. [env: TRIPTYCH_MART] (default: data/mart)")
    var mart: String?

    @Option(help: "The address to listen at: 127.0.0.1, ::1 or localhost.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes a free one and names it.")
    var port = 8080

    @Option(
        help: "The certificate and those it was signed with, in PEM: serves HTTPS, TLS 1.3 alone."
    )
    var certificate: String?

    @Option(help: "The certificate's private key, in PEM, readable by its owner alone.")
    var certificateKey: String?

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--certificate and --certificate-key go together.")
        }
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw ValidationError(
                "--host must be 127.0.0.1, ::1 or localhost; it is '\(host)'. Nobody can sign in yet, so "
                    + "nobody else shall ask."
            )
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must lie between 0 and 65535; it is \(port).")
        }
    }

    func run() async throws {
        let environment = getenv("TRIPTYCH_MART").map { String(cString: $0) }
        let logger = Logger(label: "triptych-server") {
            StreamLogHandler.standardError(label: $0)
        }
        let server = try Backend(
            BackendSettings(
                martPath: mart ?? environment ?? "data/mart",
                host: host,
                port: port,
                certificate: certificatePaths
            ),
            now: { Int64(time(nil)) },
            logger: logger
        )
        do {
            try await server.run()
        } catch let fault as CertificateFault {
            try Self.fail("\(fault)", status: 78)
        } catch {
            // What the system says may name paths; it goes nowhere.
            try Self.fail("cannot listen at \(host):\(port); is it taken?", status: 74)
        }
    }

    private var certificatePaths: CertificatePaths? {
        guard let certificate, let certificateKey else { return nil }
        return CertificatePaths(chain: certificate, key: certificateKey)
    }

    private static func fail(_ text: String, status: Int32) throws -> Never {
        _ = "triptych-server: \(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        throw ExitCode(status)
    }
}
