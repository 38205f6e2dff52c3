/// A folder in which a generation is built that is never published.
///
///     scratch/   run.lock  generations/.building-7.sqlite  history/.building-7.sqlite
///
/// One process at a time builds in it and removes its files when it is done. The next process
/// removes the files of one that was killed.
public final class ScratchMart {
    /// The folder in which the files are built.
    public let folder: MartFolder
    private let lock: MartLock

    /// Locks the folder and empties it.
    ///
    /// - Parameters:
    ///   - path: The folder; created where it is missing.
    ///   - command: The command that builds there.
    ///   - now: The time, in seconds since 1970 of UTC.
    /// - Throws: ``MartError`` with code `locked` where another process builds there; of the
    ///   folder.
    public init(path: String, command: String, now: Int64) throws(MartError) {
        folder = MartFolder(path: path)
        for path in [path, folder.generationsPath, folder.historyPath] {
            try FileSystem.makeFolder(path, mode: 0o750)
        }
        lock = try MartLock.acquire(folder, command: command, now: now)
        try Publication(folder).removeUnfinished()
    }

    /// Removes the files of a killed process, unless another process builds in the folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - command: The command that removes them.
    ///   - now: The time, in seconds since 1970 of UTC.
    /// - Throws: ``MartError`` of the folder.
    public static func clear(_ path: String, command: String, now: Int64) throws(MartError) {
        guard FileSystem.isFolder(path) else { return }
        do throws(MartError) {
            try ScratchMart(path: path, command: command, now: now).remove()
        } catch {
            // The process that builds there removes them.
            guard error.code == .locked else { throw error }
        }
    }

    /// Removes the built files and releases the lock.
    public func remove() {
        // The next process removes what cannot be removed now.
        try? Publication(folder).removeUnfinished()
        lock.release()
    }
}
