import Foundation
import PackagePlugin

/// Makes the dashboard, the pages of signing in and the contract a part of their target.
@main
struct EmbedFilesPlugin: BuildToolPlugin {
    private static let names = ["API/health-dashboard.yaml", "Dashboard", "SignIn/Pages"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let files = try Self.names.flatMap { name in
            let place = folder.appending(path: name, directoryHint: .checkFileSystem)
            guard place.hasDirectoryPath else { return [place] }
            return try FileManager.default.subpathsOfDirectory(atPath: place.path())
                .map { place.appending(path: $0) }
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embed the files of \(target.name)",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path(), folder.path()] + Self.names,
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
