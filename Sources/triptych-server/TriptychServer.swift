import ArgumentParser
import Glibc
import TripCrypto
import TripDomain
import TripText

/// The backend: the published numbers over HTTP.
@main
struct TriptychServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triptych-server",
        abstract: "Serve the published numbers of a mart.",
        discussion: """
            To serve:       triptych-server serve --check, then triptych-server serve
            To add a user:  triptych-server user add NAME --role viewer
            Access record:  triptych-server audit report

            Exit codes: 0 done, 2 usage, 13 the access record was changed, 65 an argument names what is not there or \
            cannot be, 74 cannot listen, write or read, 78 a setting or key is wrong. See docs/API.md, and \
            docs/OPERATIONS.md for what to do.
            """,
        version: ProgramVersion.text,
        subcommands: [ServeCommand.self, UserCommand.self, KeyCommand.self, AuditCommand.self]
    )

    /// The exit code of wrong usage in both programs; the library has another.
    private static let usage: Int32 = 2

    /// Ends where the system's cryptography library lacks what the program needs.
    private static func requireCryptography() throws {
        do throws(CryptoFault) {
            try Libcrypto.check()
        } catch {
            try CommandFailure.end("\(error.code.rawValue): \(error.remedy)", status: 78)
        }
    }

    static func main() async {
        Output.prepare()
        FaultSignals.install()
        let fault =
            ArgumentText.refusal ?? CommandNames(Self.self).fault(CommandLine.arguments.dropFirst())
        if let fault {
            _ = ("Error: " + fault + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
            Glibc.exit(usage)
        }
        do {
            var command = try parseAsRoot()
            try requireCryptography()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
            Output.leave(0)
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            if !text.isEmpty {
                Output.line(text, to: status.isSuccess ? .standardOutput : .standardError)
            }
            Output.leave(status == .validationFailure ? usage : status.rawValue)
        }
    }
}

extension CommandNames {
    /// The names of a command and of its own commands.
    fileprivate init(_ command: any ParsableCommand.Type) {
        self.init(
            command.configuration.commandName ?? Self.name(ofType: "\(command)"),
            command.configuration.subcommands.map { CommandNames($0) }
        )
    }
}
