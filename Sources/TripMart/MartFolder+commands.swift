import TripDomain

/// How the commands that a message names find this mart.
///
/// No other code writes `--mart` for a mart that is in use.
extension MartFolder {
    /// The mart's folder, unless another is named.
    public static let usualPath = "data/mart"

    /// The flags that name the mart in a command, after a blank each; empty where it is the usual
    /// one.
    ///
    /// - Parameter keyPath: The key file; nil where it lies beside the mart.
    /// - Returns: ` --mart DIR`, with ` --key-file FILE` where one is given.
    public func flags(keyPath: String? = nil) -> String {
        let mart = path == Self.usualPath ? "" : " --mart \(ShellWord.quoted(path))"
        return mart + (keyPath.map { " --key-file \(ShellWord.quoted($0))" } ?? "")
    }

    /// The mart that a file belongs to.
    ///
    /// - Parameter file: The path of the file in the mart, or in a folder of it.
    init(holding file: String) {
        var folders = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        if let last = folders.last, Self.folderNames.contains(String(last)) { folders.removeLast() }
        let path = folders.joined(separator: "/")
        self.init(path: path.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : path)
    }

    private static let folderNames: Set = ["generations", "history", "archive", "plans", "queue"]

    /// The command that publishes the next generation from the archive; PIPELINE and DIR are the
    /// pipeline and the folder of exports that every run names.
    var rebuildCommand: String { "triptych run PIPELINE --full\(flags()) --input DIR" }
}
