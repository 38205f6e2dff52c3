import Foundation
import PackagePlugin

/// Makes the files of a target's folder `Dashboard` a part of it.
@main
struct EmbedFilesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Dashboard")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        let output = context.pluginWorkDirectoryURL.appending(path: "DashboardFiles.swift")
        return [
            .buildCommand(
                displayName: "Embed the dashboard",
                executable: try context.tool(named: "embed-files").url,
                arguments: [folder.path(), output.path()],
                inputFiles: names.map { folder.appending(path: $0) },
                outputFiles: [output]
            )
        ]
    }
}
