import Foundation

/// Writes a Swift file with the texts of files and of all files below folders:
/// `embed-files OUTPUT FOLDER NAME…`, where each name is that of a file or folder in FOLDER.
///
/// The build calls it, so that a program has these files without a folder beside it, and that a new
/// file needs no line anywhere else. As texts they take the compiler no time; as lists of bytes,
/// which the package manager's own resources are, they take it a minute.
@main
struct EmbedFiles {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else {
            FileHandle.standardError.write(Data("usage: embed-files OUTPUT FOLDER NAME…\n".utf8))
            exit(2)
        }
        let (output, folder) = (URL(fileURLWithPath: arguments[1]), arguments[2])
        var swift = """
            /// Files that are a part of the program; written by embed-files.
            enum EmbeddedFiles {
                /// Their texts by their paths in the folder of the target.
                static let texts: [String: String] = [

            """
        for path in try arguments[3...].flatMap({ try paths(folder, $0) }) {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            // No text has the mark: raw strings take everything else as it is, but for the ends of
            // lines.
            let mark = String(repeating: "#", count: 8)
            precondition(!text.contains(mark), "\(path) has the mark of raw strings")
            precondition(!text.utf8.contains(UInt8(ascii: "\r")), "\(path) has a carriage return")
            swift += "        \"\(path)\": \(mark)\"\"\"\n\(text)\n\"\"\"\(mark),\n"
        }
        swift += """
                ]

                /// The text of a file, which is there: the build embeds it.
                static func text(_ path: String) -> String {
                    guard let text = texts[path] else { preconditionFailure("no file \\(path)") }
                    return text
                }
            }

            """
        let found = Data(swift.utf8)
        // Builds start this again and again: what is written anew is compiled anew. Without a file
        // there is none to keep.
        if (try? Data(contentsOf: output)) == found { return }
        try found.write(to: output)
    }

    /// A file, or the files below a folder, sorted.
    private static func paths(_ folder: String, _ name: String) throws -> [String] {
        guard isFolder(folder + "/" + name) else { return [name] }
        return try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + name).sorted()
            .map { name + "/" + $0 }.filter { !isFolder(folder + "/" + $0) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}
