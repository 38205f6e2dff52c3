import Foundation

/// Writes a Swift file with the text of every file of a folder: `embed-files FOLDER OUTPUT`.
///
/// The build calls it, so that a program has these files without a folder beside it, and that a new
/// file needs no line anywhere else.
@main
struct EmbedFiles {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: embed-files FOLDER OUTPUT\n".utf8))
            exit(2)
        }
        var swift = """
            /// The files of the dashboard, by their path in its folder; written by embed-files.
            enum DashboardFiles {
                static let all: [(path: String, text: String)] = [

            """
        for path in try paths(below: arguments[1]) {
            let text = try String(contentsOfFile: arguments[1] + "/" + path, encoding: .utf8)
            // No text has the mark: raw strings take everything else as it is.
            let mark = String(repeating: "#", count: 8)
            precondition(!text.contains("\"\"\"" + mark), "\(path) has the mark of raw strings")
            swift += "        (\"\(path)\", \(mark)\"\"\"\n\(text)\n\"\"\"\(mark)),\n"
        }
        swift += "    ]\n}\n"
        let (found, output) = (Data(swift.utf8), URL(fileURLWithPath: arguments[2]))
        // Builds start this again and again: what is written anew is compiled anew. Without a file
        // there is none to keep.
        if (try? Data(contentsOf: output)) == found { return }
        try found.write(to: output)
    }

    /// The files below a folder, sorted.
    private static func paths(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: folder + "/" + path,
                isDirectory: &isFolder
            ) && !isFolder.boolValue
        }.sorted()
    }
}
