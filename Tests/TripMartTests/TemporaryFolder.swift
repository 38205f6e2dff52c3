import Glibc

@testable import TripMart

/// A folder of one test, removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/triptych-mart-XXXXXX".utf8CString)
        let isMade = mkdtemp(&template) != nil
        precondition(isMade, "tests can make folders below /tmp")
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove(path + "/" + name) }
        }
        closedir(stream)
        rmdir(path)
    }
}
