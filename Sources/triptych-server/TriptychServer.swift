import ArgumentParser

/// The backend: the published numbers over HTTP.
@main
struct TriptychServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triptych-server",
        abstract: "Serve the published numbers of a mart.",
        subcommands: [ServeCommand.self, UserCommand.self, KeyCommand.self, AuditCommand.self]
    )
}
