import TripDomain
import TripEngine
import TripPipeline
import TripText

/// The list of files that a divided run reads: a JSON object on each line.
struct FileList {
    /// A file of the list.
    struct File {
        /// Its path below the input folder.
        let path: String
        /// Its size in bytes.
        let size: Int64
        /// When it was last written, in seconds of UTC; nil where the list does not say.
        let modifiedAt: Int64?
        /// SHA-256 of its expanded content; nil where the list does not say.
        let contentHash: String?
        /// Its line in the list, from 1.
        let line: Int
    }

    let files: [File]
    /// The list's path, for messages.
    let name: String

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - text: Its bytes.
    ///   - name: Its path, for messages.
    /// - Throws: ``RunError`` with code `noUsableInput` for the first line that names no file, or
    ///   names one that another line names.
    init(_ text: [UInt8], name: String) throws(RunError) {
        var files: [File] = []
        var lineOfPath: [[UInt8]: Int] = [:]
        var size: Int64 = 0
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 <= 0x20 }) {
            let file: File
            do throws(JSONFault) {
                file = try Self.file(Array(line), line: index + 1)
            } catch {
                throw Self.fault(name, index + 1, "\(error.place): \(error.finding)")
            }
            if let first = lineOfPath.updateValue(index + 1, forKey: Array(file.path.utf8)) {
                throw Self.fault(name, index + 1, "path: is that of line \(first) as well")
            }
            let (sum, isOver) = size.addingReportingOverflow(file.size)
            guard !isOver else {
                throw Self.fault(name, index + 1, "size: is \(file.size), more than files can have")
            }
            size = sum
            files.append(file)
        }
        (self.files, self.name) = (files, name)
    }

    private static func file(_ line: [UInt8], line number: Int) throws(JSONFault) -> File {
        let json = try JSONObject(line)
        let path = try json.text("path")
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let leadsOut = parts.contains { part in
            part.isEmpty || part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8)
        }
        guard !leadsOut, !path.utf8.contains(0) else {
            throw json.fault("path", "is no path below the input folder")
        }
        let size = try json.integer("size")
        guard size >= 0 else { throw json.fault("size", "is negative") }
        return File(
            path: path,
            size: size,
            modifiedAt: try json.optionalInteger("modified"),
            contentHash: try json.optionalHash("content_hash"),
            line: number
        )
    }

    /// What the list says of contents, by the paths of their files.
    var contents: [[UInt8]: String] {
        Dictionary(
            uniqueKeysWithValues: files.compactMap { file in
                file.contentHash.map { (Array(file.path.utf8), $0) }
            }
        )
    }

    /// The entries of the folder that the list describes, as a run that lists it finds them.
    ///
    /// - Parameter sources: The pipeline's sources.
    /// - Returns: The entries, by path as bytes.
    /// - Throws: ``RunError`` where a source has `settle`, and the list does not say when a file
    ///   was last written.
    func entries(_ sources: [SourceDefinition]) throws(RunError) -> [LandingEntry] {
        let settles = sources.contains { $0.settleSeconds > 0 }
        var entries: [LandingEntry] = []
        for file in files where !Self.isQuiet(file.path) {
            guard file.modifiedAt != nil || !settles else {
                throw Self.fault(
                    name,
                    file.line,
                    "modified: is missing, and a source of the pipeline has `settle`"
                )
            }
            let landed = LandingFile(
                listed: file.path,
                size: file.size,
                // Without `settle`, no time matters.
                modifiedAt: file.modifiedAt ?? 0
            )
            entries.append(
                LandingEntry(path: landed.path, bytes: Array(file.path.utf8), kind: .file(landed))
            )
        }
        return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether a file lies in a folder that systems leave everywhere.
    private static func isQuiet(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).dropLast().contains {
            QuietNames.isFolder(Array($0))
        }
    }

    private static func fault(_ name: String, _ line: Int, _ finding: String) -> RunError {
        RunError(
            .noUsableInput,
            summary: "the list of files cannot be read",
            what: "\(name), line \(line), \(finding).",
            remedies: [
                "Write an object on each line: {\"path\": \"claims/a.csv.gz\", \"size\": 123}."
            ],
            position: SourcePosition(file: name, lineNumber: line)
        )
    }
}
