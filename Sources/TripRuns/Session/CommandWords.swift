import TripDomain
import TripMart

/// The arguments of commands that a message names, so that they can be copied.
///
/// They have a flag for the mart, the key and each folder that is not the usual one.
extension RunOptions {
    /// The flags that name the mart in a command, after a blank each; empty where it is the usual
    /// one.
    public var martFlags: String { MartFolder(path: martPath).flags(keyPath: keyPath) }

    /// The arguments that name the pipeline in a command; PIPELINE stands for one that is not
    /// known.
    var pipelineWords: String {
        let pipeline = pipelinePath.isEmpty ? "PIPELINE" : ShellWord.quoted(pipelinePath)
        let reference =
            referencePath == Self.usualReferencePath
            ? "" : " --reference \(ShellWord.quoted(referencePath))"
        return pipeline + martFlags + reference
    }

    /// The arguments of a run of the same pipeline, folders and mart; DIR stands for a folder of
    /// exports that is not known.
    ///
    /// A run that reads the usual folder in its place could publish the exports of another mart.
    var runWords: String {
        let input = inputPath.isEmpty ? "DIR" : ShellWord.quoted(inputPath)
        return pipelineWords + (inputPath == Self.usualInputPath ? "" : " --input \(input)")
    }

    /// The command of another run on a cluster, where the exports and the trips lie.
    var clusterRun: String { "triptych-spark run \(pipelineWords) --input URI --out URI" }

    /// The arguments that repeat a run, with all that was asked of it.
    var againWords: String {
        func files(_ flag: String, _ paths: [String]) -> String {
            paths.map { " " + Self.flag(flag, $0) }.joined()
        }
        return runWords + (isFull ? " --full" : "") + (isDryRun ? " --dry-run" : "")
            + (appliesChanges ? " --apply-changes" : "")
            + (approvedBy.map { " " + Self.flag("--approved-by", $0) } ?? "")
            + files("--skip", skippedFiles) + files("--include", includedFiles)
            + files("--accept-smaller", acceptedFiles)
    }

    /// A flag with its value; one that begins with a dash would be read as a flag of its own.
    ///
    /// - Parameters:
    ///   - name: The flag, with its dashes.
    ///   - value: Its value.
    /// - Returns: Both as a command has them.
    public static func flag(_ name: String, _ value: String) -> String {
        name + (value.hasPrefix("-") ? "=" : " ") + ShellWord.quoted(value)
    }

    /// The arguments that name a saved plan in a command.
    func planWords(_ path: String) -> String { "--plan \(ShellWord.quoted(path))\(martFlags)" }
}
