/// A place where a generation is built that is never published.
///
///     scratch/   run.lock  generations/.building-7.sqlite  history/.building-7.sqlite
///
/// One process at a time builds in it. What it built goes when it is done; what a killed one left, the next
/// removes.
public final class ScratchMart {
    /// Where the files are built.
    public let folder: MartFolder
    private let lock: MartLock

    /// Takes a place and empties it.
    ///
    /// - Parameters:
    ///   - path: The folder; made where it is missing.
    ///   - command: What it is wanted for.
    ///   - now: The time, in seconds since 1970 of UTC.
    /// - Throws: ``MartError`` with code `locked` where another process builds there; of the folder.
    public init(path: String, command: String, now: Int64) throws(MartError) {
        folder = MartFolder(path: path)
        for path in [path, folder.generationsPath, folder.historyPath] {
            try FileSystem.makeFolder(path, mode: 0o750)
        }
        lock = try MartLock.acquire(folder, command: command, now: now)
        try Publication(folder).removeUnfinished()
    }

    /// Removes what a killed process left in a place where nobody builds now.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - command: Who removes it.
    ///   - now: The time, in seconds since 1970 of UTC.
    /// - Throws: ``MartError`` of the folder.
    public static func clear(_ path: String, command: String, now: Int64) throws(MartError) {
        guard FileSystem.isFolder(path) else { return }
        do throws(MartError) {
            try ScratchMart(path: path, command: command, now: now).remove()
        } catch {
            // Whoever builds there removes it.
            guard error.code == .locked else { throw error }
        }
    }

    /// Removes what was built and lets go of the place.
    public func remove() {
        // What cannot be removed now, the next one removes first.
        try? Publication(folder).removeUnfinished()
        lock.release()
    }
}
