import Glibc
import TripPipeline

/// A folder of links to exports, through which a trial reads them where they are.
struct TrialFolder {
    /// Its path.
    let path: String

    private var links: [String] = []
    /// The folders below it, each before those below it.
    private var folders: [String] = []

    /// Makes an empty folder.
    ///
    /// - Throws: ``RunError`` where it cannot be made.
    init() throws(RunError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/triptych-init-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw InitWork.unwritable(parent) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Adds a link to each export.
    ///
    /// - Parameter paths: The exports.
    /// - Throws: ``RunError`` where a link cannot be made.
    mutating func link(_ paths: [String]) throws(RunError) {
        for (path, landing) in zip(paths, ExportNames.landingPaths(of: paths)) {
            var folder = self.path
            for part in landing.split(separator: "/").dropLast() {
                folder += "/" + part
                guard !folders.contains(folder) else { continue }
                guard mkdir(folder, 0o700) == 0 else { throw InitWork.unwritable(folder) }
                folders.append(folder)
            }
            let link = self.path + "/" + landing
            guard symlink(FileText.resolved(path), link) == 0 else {
                throw InitWork.unwritable(link)
            }
            links.append(link)
        }
    }

    /// Removes the folder, and nothing that its links lead to.
    func remove() {
        for link in links { unlink(link) }
        for folder in folders.reversed() { rmdir(folder) }
        rmdir(path)
    }
}
