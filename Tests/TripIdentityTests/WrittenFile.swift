import Foundation

@testable import TripIdentity

/// A file of one test, which is removed after the test.
final class WrittenFile: Sendable {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("triptych-written-" + UUID().uuidString).path

    deinit { unlink(path) }

    /// Replaces the content of the file.
    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
