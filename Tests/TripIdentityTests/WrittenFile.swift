import Foundation

/// A file of one test's own, which is removed when the test is over.
final class WrittenFile: Sendable {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("triptych-written-" + UUID().uuidString).path

    deinit { unlink(path) }

    /// Puts bytes in the place of what it held.
    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
