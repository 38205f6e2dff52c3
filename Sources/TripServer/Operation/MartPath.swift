import Glibc
import TripDomain
import TripMart

/// The path that the settings name as the mart: whether anything could be served from it.
///
/// A folder in which nothing is published yet can be served: the first run publishes into it later.
/// A folder that does not exist is most often a slip of the pen, or a disk that is not mounted.
public struct MartPath: Sendable {
    private let path: String

    /// Names a path; touches nothing.
    ///
    /// - Parameter path: The mart's folder, as the settings name it.
    public init(_ path: String) { self.path = path }

    /// What keeps the server from serving it, in a few words; nil where nothing does.
    var fault: String? {
        var status = stat()
        let name = "'\(UnseenCharacters.named(in: path))'"
        guard !isMissing else { return "there is no folder \(name)" }
        guard stat(path, &status) == 0 else {
            return "\(name) cannot be opened (\(String(cString: strerror(errno))))"
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "\(name) is no folder" }
        return access(path, R_OK | X_OK) == 0 ? nil : "this account may not read \(name)"
    }

    /// The fault in whole sentences for an operator, with what to do; nil where there is none.
    public var refusal: String? {
        guard let fault else { return nil }
        return [
            "the mart cannot be served: \(fault).",
            isMissing ? near.map { "Did you mean '\($0)'?" } : nil,
            "Name the folder that 'triptych run' publishes into: --mart DIR"
                + (isMissing ? ", or publish first: triptych run PIPELINE --mart \(quoted)." : "."),
        ].compactMap(\.self).joined(separator: " ")
    }

    private var isMissing: Bool {
        var status = stat()
        return stat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// The mart that lies in the folder, where the folder is none itself, as after `make run`.
    var below: String? {
        let base = path.hasSuffix("/") ? path : path + "/"
        return Self.folders(in: base).map { base + $0 }.sorted().first { path in
            // A folder that cannot be read is none to be offered.
            (try? MartFolder(path: path).servedNumber()) != nil
        }
    }

    /// The path as a word of a command.
    var quoted: String { ShellWord.quoted(path) }

    /// The folder that a mistyped name most probably stands for.
    private var near: String? {
        let parts = path.split(separator: "/")
        guard let name = parts.last.map(String.init) else { return nil }
        let start = path.hasPrefix("/") ? "/" : ""
        let parent = start + parts.dropLast().map { $0 + "/" }.joined()
        let others = Self.folders(in: parent.isEmpty ? "." : parent).sorted()
        return NearestName.find(name, among: others).map {
            UnseenCharacters.named(in: parent + $0)
        }
    }

    /// The names of the folders in a folder; none where it cannot be listed.
    private static func folders(in path: String) -> [String] {
        guard let entries = opendir(path) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name != ".", name != "..", stat(path + "/" + name, &status) == 0,
                status.st_mode & S_IFMT == S_IFDIR
            else { continue }
            names.append(name)
        }
        return names
    }
}
