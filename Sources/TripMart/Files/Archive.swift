import Glibc
import TripCrypto
import TripDomain

/// All raw files that were archived, each once, named by the SHA-256 of its bytes as delivered.
///
///     archive/ab/abcdef….csv     archive/07/0712fe….gz     archived: some generation lists them
///     archive/.new/9c41d2….csv                             staged by the current run
///
/// They hold protected data in clear, as delivered: only the owner can read them. A file that a run
/// does not publish is removed: a refused file, above all a real export that came into a mart of
/// generated trips, must not stay here.
public struct Archive: Sendable {
    private let folder: MartFolder

    /// Creates the archive of a mart; touches no file.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// Begins a copy for the current run.
    ///
    /// - Parameter number: Distinguishes the copies of the run.
    /// - Returns: The copy, empty.
    /// - Throws: ``MartError`` of the file.
    public func beginCopy(number: Int) throws(MartError) -> StagedCopy {
        try FileSystem.makeFolder(stagePath, mode: 0o700)
        return try StagedCopy(path: "\(stagePath)/.part-\(number)")
    }

    /// Ends a complete copy: syncs it and gives it its name among the staged files.
    ///
    /// The archive may already have a file of these bytes. The copy is made all the same: its bytes
    /// have just been hashed, and those of the archived file may have changed since.
    ///
    /// - Parameters:
    ///   - copy: The copy.
    ///   - hash: SHA-256 of its bytes, lower-case hexadecimal.
    /// - Returns: The path of the staged file.
    /// - Throws: ``MartError`` of the file.
    public func end(_ copy: StagedCopy, hash: String) throws(MartError) -> String {
        let final = staged(hash, copy.isGzip ? ".gz" : ".csv")
        try copy.end(as: final)
        return final
    }

    /// Moves staged files into the archive; called before the generation that lists them is
    /// published.
    ///
    /// - Parameter hashes: The hashes of the files. An archived file that was staged again is
    ///   replaced by its copy, whose bytes were hashed by this run.
    /// - Throws: ``MartError`` with code `notFound` where a file is neither archived nor staged, or
    ///   an error of a file.
    public func takeIn(_ hashes: Set<String>) throws(MartError) {
        var shelves: Set<String> = []
        for hash in hashes.sorted() {
            let suffixes = [".csv", ".gz"]
            guard let suffix = suffixes.first(where: { FileSystem.exists(staged(hash, $0)) }) else {
                guard contains(hash: hash) else { throw missing(hash) }
                continue
            }
            let shelf = folder.archivePath + "/" + hash.prefix(2)
            try FileSystem.makeFolder(shelf, mode: 0o700)
            try FileSystem.move(staged(hash, suffix), to: name(hash, suffix))
            shelves.insert(shelf)
        }
        for shelf in shelves.sorted() { try FileSystem.sync(shelf) }
        if !shelves.isEmpty { try FileSystem.sync(folder.archivePath) }
    }

    /// Removes the staged files that were not archived.
    public func removeStaged() throws(MartError) {
        guard FileSystem.isFolder(stagePath) else { return }
        for name in try FileSystem.names(in: stagePath) {
            try FileSystem.remove(stagePath + "/" + name)
        }
    }

    /// Whether any file is archived.
    func hasFiles() throws(MartError) -> Bool {
        for shelf in try FileSystem.names(in: folder.archivePath) where !shelf.hasPrefix(".") {
            let path = folder.archivePath + "/" + shelf
            guard FileSystem.isFolder(path) else { return true }
            if try !FileSystem.names(in: path).isEmpty { return true }
        }
        return false
    }

    /// Whether a file is archived.
    public func contains(hash: String) -> Bool { path(hash: hash) != nil }

    /// The path of a file; nil where it is missing.
    ///
    /// Its bytes are not checked.
    public func path(hash: String) -> String? {
        [".csv", ".gz"].map { name(hash, $0) }.first { FileSystem.exists($0) }
    }

    /// The path of a file whose bytes have been compared with its hash.
    ///
    /// - Parameter hash: SHA-256 of its bytes.
    /// - Returns: Its path.
    /// - Throws: ``MartError`` with code `notFound` where it is missing, `damaged` where its bytes
    ///   have changed.
    public func verifiedPath(hash: String) throws(MartError) -> String {
        guard let path = path(hash: hash) else { throw missing(hash) }
        var digest = SHA256()
        try FileSystem.readBlocks(path, blockSize: Self.blockSize) {
            digest.update($0)
        }
        guard Hex.text(digest.finish()) == hash else { throw changed(path) }
        return path
    }

    /// 1 MiB: larger blocks hashed no faster.
    private static let blockSize = 1 << 20

    private var stagePath: String { folder.archivePath + "/.new" }

    private func staged(_ hash: String, _ suffix: String) -> String {
        stagePath + "/" + hash + suffix
    }

    private func missing(_ hash: String) -> MartError {
        MartError(
            .notFound,
            file: folder.archivePath,
            remedy: "A raw file that was taken in before is missing from the archive (\(hash))."
                + " Restore it from a backup, or get it again from its source."
        )
    }

    private func name(_ hash: String, _ suffix: String) -> String {
        folder.archivePath + "/" + hash.prefix(2) + "/" + hash + suffix
    }

    private func changed(_ path: String) -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "The file's bytes are not those it was taken in with. Get it again from its "
                + "source, or restore it from a backup."
        )
    }
}

/// A file that is being copied into the archive, readable for its owner alone.
///
/// A class, because it owns a file descriptor and the unnamed file: a copy that is not ended is
/// removed. Used by one thread at a time.
public final class StagedCopy {
    /// Whether its first bytes are those of gzip.
    public private(set) var isGzip = false
    private let path: String
    private let descriptor: Int32
    private var isEmpty = true
    private var isEnded = false

    init(path: String) throws(MartError) {
        self.path = path
        try FileSystem.remove(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isEnded { unlink(path) }
    }

    /// Appends the next bytes.
    ///
    /// - Precondition: The first two bytes of the file come together.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(MartError) {
        if isEmpty { isGzip = bytes.starts(with: [0x1F, 0x8B]) }
        isEmpty = isEmpty && bytes.isEmpty
        try FileSystem.writeAll(bytes, to: descriptor, path)
    }

    /// Syncs the bytes to disk, and gives the file its name.
    func end(as final: String) throws(MartError) {
        guard fsync(descriptor) == 0 else { throw FileSystem.error(errno, path) }
        try FileSystem.move(path, to: final)
        isEnded = true
    }
}
