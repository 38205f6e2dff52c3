import Glibc
import TripPipeline
import TripRuns

extension FileText {
    /// Writes a text so that a reader sees the old file or the new one, never half of either.
    ///
    /// - Throws: ``RunError`` with code `cannotWrite`.
    static func write(_ text: String, to path: String) throws(RunError) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        var isWritten = descriptor >= 0
        let bytes = Array(text.utf8)
        var start = 0
        while isWritten, start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            isWritten = count > 0
            start += max(0, count)
        }
        isWritten = isWritten && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(temporary, path) == 0 else {
            throw RunError(
                .cannotWrite,
                summary: "a file cannot be written",
                what: "\(path): \(systemMessage()).",
                remedies: ["Make room or name another folder, then run the command again."]
            )
        }
    }
}
