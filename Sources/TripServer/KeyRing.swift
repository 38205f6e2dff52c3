import Logging
import Synchronization
import TripMart

/// The mart's keys, as soon as there are some: a mart gets its key file with its first generation.
final class KeyRing: Sendable {
    private let path: String?
    private let folder: MartFolder
    private let state = Mutex<MartKeys?>(nil)

    /// Opens the keys, if they are there.
    ///
    /// - Parameters:
    ///   - path: The key file; nil serves no single trips.
    ///   - folder: The mart.
    ///   - isRequired: Whether a file that is missing where the mart has generations is a fault.
    /// - Throws: ``MartError`` where the file is not the mart's.
    init(path: String?, folder: MartFolder, isRequired: Bool) throws(MartError) {
        (self.path, self.folder) = (path, folder)
        do throws(MartError) {
            try open()
        } catch {
            guard error.code == .keyMissing, !isRequired else { throw error }
        }
    }

    /// The keys; nil where there are none yet.
    var keys: MartKeys? { state.withLock { $0 } }

    /// Looks for them again, where there were none: something was published.
    func look(_ logger: Logger) {
        guard keys == nil else { return }
        do throws(MartError) {
            try open()
        } catch {
            logger.warning(
                "the key file cannot be used",
                metadata: ["code": "\(error.code.rawValue)"]
            )
        }
    }

    private func open() throws(MartError) {
        guard let path else { return }
        let keys = try MartKeys.open(keyFile: path, for: folder)
        state.withLock { $0 = keys }
    }
}
