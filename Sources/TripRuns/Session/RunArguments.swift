import TripDomain
import TripMart
import TripPipeline

/// Checks what a command line names before anything is created, computed or listed.
///
/// A path that leads nowhere is a typing error: no fault of the pipeline, and no run.
enum RunArguments {
    /// Checks the folders and files that a run names.
    ///
    /// - Parameter options: The options of the run.
    /// - Throws: ``RunError`` about the first of them that does not exist; `MartError` of the
    ///   served generation.
    static func check(_ options: RunOptions) throws {
        try requirePipeline(options.pipelinePath)
        // What else is wrong with the pipeline is found, and put on record, by the run itself.
        if let pipeline = try? PipelineReader.read(path: options.pipelinePath) {
            try requireReferences(
                pipeline.referenceFileNames,
                options.referencePath,
                mayBeEmpty: true
            )
        }
        if !options.skippedFiles.isEmpty || !options.acceptedFiles.isEmpty {
            let found = try LandingFolder(path: options.inputPath).entries()
            try RunFiles.checkNames("--skip", options.skippedFiles, found)
            try RunFiles.checkNames("--accept-smaller", options.acceptedFiles, found)
        }
        guard !options.includedFiles.isEmpty,
            let served = try ServedMart.openIfPublished(MartFolder(path: options.martPath))
        else { return }
        _ = try SortedExclusions(try served.exclusions(), known: try served.files(), options)
    }

    /// Refuses a path at which there is no pipeline.
    ///
    /// - Parameter path: The pipeline folder, or a pipeline file.
    /// - Throws: ``RunError`` that names what is near.
    static func requirePipeline(_ path: String) throws(RunError) {
        let start = PipelineReader.startPath(path)
        guard !FileText.exists(start) else { return }
        let isThere = FileText.exists(path)
        let others = (FileText.names(in: path) ?? []).filter { name in
            name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        }
        throw RunError(
            .badPipeline,
            summary: "no such pipeline",
            what: isThere ? "\(path) has no pipeline.yaml." : "There is no \(path).",
            remedies: [
                near(isThere ? start : path),
                "Name a pipeline folder, or a pipeline file"
                    + (others.isEmpty ? "." : ", such as \(path)/\(others[0])."),
            ].compactMap(\.self)
        )
    }

    /// Refuses a folder that has none of the reference files.
    ///
    /// - Parameters:
    ///   - names: The files that the pipeline names.
    ///   - folder: The folder of reference files.
    ///   - mayBeEmpty: Whether the served generation has files to use in place of missing ones.
    /// - Throws: ``RunError`` that names what is near.
    static func requireReferences(
        _ names: [String],
        _ folder: String,
        mayBeEmpty: Bool = false
    ) throws(RunError) {
        let isThere = FileText.exists(folder)
        let hasAny = names.contains { FileText.exists(folder + "/" + $0) }
        guard !names.isEmpty, !hasAny, !(isThere && mayBeEmpty) else { return }
        throw RunError(
            .badPipeline,
            summary: isThere ? "no reference files" : "no such reference folder",
            what: (isThere
                ? "\(folder) has none of the reference files of the pipeline: "
                : "There is no \(folder); the pipeline reads from it: ")
                + names.joined(separator: ", ") + ".",
            remedies: [
                isThere ? nil : near(folder),
                "Name the folder of the reference files: --reference DIR",
            ].compactMap(\.self)
        )
    }

    /// A question that offers the nearest path; nil where none is near.
    private static func near(_ path: String) -> String? {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let cut = path.lastIndex(of: "/")
        let parent = cut.map { String(path[...$0]) } ?? ""
        let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        let names = FileText.names(in: parent.isEmpty ? "." : parent) ?? []
        return NearestName.find(name, among: names).map { "Did you mean `\(parent)\($0)`?" }
    }
}
