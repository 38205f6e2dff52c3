import Glibc
import TripPipeline

/// One file below the input folder.
struct LandingFile: Sendable, Hashable {
    /// Its path below the input folder.
    let path: String
    /// Its size in bytes.
    let size: Int64
    /// When it was last written, in seconds of UTC.
    let modifiedAt: Int64
}

/// The folder exports arrive in.
struct LandingFolder: Sendable {
    let path: String

    /// All files below the folder, by path as bytes; links are followed to files, not to folders.
    ///
    /// - Throws: ``RunError`` with code `noUsableInput` where the folder cannot be read.
    func files() throws(RunError) -> [LandingFile] {
        var found: [LandingFile] = []
        try list("", into: &found, depth: 0)
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The path of a file of the folder.
    func location(of file: String) -> String { path + "/" + file }

    private func list(
        _ folder: String,
        into found: inout [LandingFile],
        depth: Int
    ) throws(RunError) {
        let location = folder.isEmpty ? path : path + "/" + folder
        guard let names = FileText.names(in: location) else {
            throw RunError(
                .noUsableInput,
                summary: "the input folder cannot be read",
                what: "\(location): \(FileText.systemMessage()).",
                remedies: [
                    "Check that the folder exists and that the account of the run may read it, "
                        + "or name another with --input DIR."
                ]
            )
        }
        for name in names {
            let child = folder.isEmpty ? name : folder + "/" + name
            var status = stat()
            guard lstat(path + "/" + child, &status) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if isFolder, depth < 16, !name.hasPrefix(".") {
                try list(child, into: &found, depth: depth + 1)
            }
            guard !isFolder, stat(path + "/" + child, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            found.append(
                LandingFile(
                    path: child,
                    size: Int64(status.st_size),
                    modifiedAt: Int64(status.st_mtim.tv_sec)
                )
            )
        }
    }
}
