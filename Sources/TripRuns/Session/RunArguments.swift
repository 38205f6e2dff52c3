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
        let mart = MartFolder(path: options.martPath)
        try mart.requireFolder()
        try requirePipeline(options.pipelinePath)
        // What else is wrong with the pipeline is found, and put on record, by the run itself.
        if let pipeline = try? PipelineReader.read(path: options.pipelinePath) {
            try requireReferences(
                pipeline.referenceFileNames,
                options.referencePath,
                mayBeEmpty: true
            )
            try requireSamePipeline(pipeline.name, mart)
        }
        try refuseMistyped(options, mart)
        if !options.skippedFiles.isEmpty || !options.acceptedFiles.isEmpty {
            let found = try LandingFolder(path: options.inputPath).entries()
            try RunFiles.checkNames("--skip", options.skippedFiles, found)
            try RunFiles.checkNames("--accept-smaller", options.acceptedFiles, found)
        }
        guard !options.includedFiles.isEmpty,
            let served = try ServedMart.openIfPublished(mart)
        else { return }
        _ = try SortedExclusions(try served.exclusions(), known: try served.files(), options)
    }

    /// Refuses a mart that another pipeline made.
    private static func requireSamePipeline(_ name: String, _ mart: MartFolder) throws(RunError) {
        // A mart that cannot be opened is found, and put on record, by the run itself.
        guard let header = (try? ServedMart.openIfPublished(mart))?.header,
            header.pipeline != name
        else { return }
        throw RunError.otherPipeline(mart.path, expected: header.pipeline, asked: name)
    }

    /// Refuses an input folder and a key file that are not there, where one of nearly that name is.
    ///
    /// Where none is near, the run itself finds it and puts it on record: a disk that is not
    /// mounted, or a key that was lost, is no typing error.
    private static func refuseMistyped(_ options: RunOptions, _ mart: MartFolder) throws(RunError) {
        if !options.inputPath.isEmpty, isMissing(options.inputPath),
            let near = near(options.inputPath)
        {
            throw RunError(
                .noUsableInput,
                summary: "no such input folder",
                what: "There is no \(options.inputPath).",
                remedies: [near, "Name the folder of the exports: --input DIR"]
            )
        }
        // A mart that cannot be read is refused by what reads it.
        guard let key = options.keyPath, isMissing(key), (try? mart.servedNumber()) ?? nil != nil
        else { return }
        let usual = RunOptions.defaultKeyPath(martPath: mart.path)
        let isUsualThere = FileText.exists(usual)
        guard let near = near(key) ?? (isUsualThere ? "Did you mean `\(usual)`?" : nil) else {
            return
        }
        throw RunError(
            .badPipeline,
            summary: "no such key file",
            what: "There is no \(key), and the mart has a key already.",
            remedies: [near, "Name the mart's key file: --key-file FILE"]
        )
    }

    /// Whether nothing has a path, and that is certain.
    private static func isMissing(_ path: String) -> Bool {
        !FileText.exists(path) && !FileText.isHidden(path)
    }

    /// Refuses a path at which there is no pipeline.
    ///
    /// - Parameter path: The pipeline folder, or a pipeline file.
    /// - Throws: ``RunError`` that names what is near.
    static func requirePipeline(_ path: String) throws(RunError) {
        let start = PipelineReader.startPath(path)
        // What is hidden is left to the reading, which says why.
        guard isMissing(start) else { return try requireStart(path) }
        let isThere = FileText.exists(path)
        let names = FileText.names(in: path)
        let others = (names ?? []).filter { name in
            name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        }
        let why =
            names == nil
            ? "is a file whose name does not end in .yaml, and no pipeline" : "has no pipeline.yaml"
        throw RunError(
            .badPipeline,
            summary: "no such pipeline",
            what: isThere ? "\(path) \(why)." : "There is no \(path).",
            remedies: [
                near(isThere ? start : path),
                "Name a pipeline folder, or a pipeline file"
                    + (others.isEmpty ? "." : ", such as \(path)/\(others[0])."),
            ].compactMap(\.self)
        )
    }

    /// Refuses a file that is a part of a pipeline, such as its rules.
    private static func requireStart(_ path: String) throws(RunError) {
        let folder = PipelineReader.folder(of: path)
        let first = folder + "/pipeline.yaml"
        // Where the file is read or written at this moment, the run finds what is wrong with it.
        guard !folder.utf8.elementsEqual(path.utf8), !path.hasSuffix("pipeline.yaml"),
            FileText.exists(first), let bytes = try? FileText.read(path, shown: path),
            !bytes.isEmpty
        else { return }
        let marks = " \t{\"'"
        let namesPipeline = String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
            let key = $0.drop(while: marks.contains)
            let rest = key.dropFirst("pipeline".count).drop(while: marks.contains)
            return key.hasPrefix("pipeline") && rest.hasPrefix(":")
        }
        guard !namesPipeline else { return }
        throw RunError(
            .badPipeline,
            summary: "no such pipeline",
            what: "\(path) is a part of a pipeline: it has no line that begins with `pipeline:`.",
            remedies: ["Name the pipeline's folder: \(ShellWord.quoted(folder))"]
        )
    }

    /// Refuses a folder that has none of the reference files.
    ///
    /// - Parameters:
    ///   - names: The files that the pipeline names.
    ///   - folder: The folder of reference files.
    ///   - mayBeEmpty: Whether the served generation has a file to use in place of a missing one. A
    ///     folder without any of several files is the wrong folder all the same.
    /// - Throws: ``RunError`` that names what is near.
    static func requireReferences(
        _ names: [String],
        _ folder: String,
        mayBeEmpty: Bool = false
    ) throws(RunError) {
        let isThere = FileText.exists(folder)
        let paths = names.map { folder + "/" + $0 }
        let hasAny = paths.contains { FileText.exists($0) || FileText.isHidden($0) }
        guard !names.isEmpty, !hasAny, !(isThere && mayBeEmpty && names.count < 2)
        else { return }
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
