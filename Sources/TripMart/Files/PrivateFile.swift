import Glibc

/// Files that their owner alone reads, written whole or not at all.
public enum PrivateFile {
    /// Writes a file, in the place of an earlier one of its name.
    ///
    /// - Parameters:
    ///   - bytes: Its bytes.
    ///   - path: Its path; the folder exists.
    /// - Throws: ``MartError`` of the file.
    public static func write(_ bytes: [UInt8], to path: String) throws(MartError) {
        let temporary = path + ".building-\(getpid())"
        do throws(MartError) {
            try FileSystem.writeNew(bytes, to: temporary, mode: 0o600)
            guard rename(temporary, path) == 0 else {
                throw FileSystem.error(errno, path, creating: true)
            }
        } catch {
            // What was written in part has no use; the error is that of the writing.
            try? FileSystem.remove(temporary)
            throw error
        }
    }
}
