import Crypto
import Glibc
import TripDomain

/// The raw files ever taken in, each once, by the SHA-256 of its bytes as delivered.
///
///     archive/ab/abcdef….csv     archive/07/0712fe….gz
///
/// They hold protected data in clear, as delivered: only the owner can read them.
public struct Archive: Sendable {
    private let folder: MartFolder

    /// Names the archive of a mart.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// Takes a file in, unless it is there already.
    ///
    /// - Parameters:
    ///   - path: The file as delivered.
    ///   - hash: SHA-256 of its bytes, lower-case hexadecimal.
    /// - Returns: Whether it was new.
    /// - Throws: ``MartError`` with code `damaged` where the file's bytes no longer have the hash
    ///   (it changed since it was read), or of a file.
    @discardableResult
    public func put(_ path: String, hash: String) throws(MartError) -> Bool {
        if contains(hash: hash) { return false }
        let shelf = folder.archivePath + "/" + hash.prefix(2)
        try FileSystem.makeFolder(shelf, mode: 0o700)
        let temporary = shelf + "/.new-" + hash
        try FileSystem.remove(temporary)
        let isGzip = try copy(path, to: temporary, hash: hash)
        let final = name(hash, isGzip ? ".gz" : ".csv")
        guard rename(temporary, final) == 0 else { throw FileSystem.error(errno, final) }
        try FileSystem.sync(shelf)
        try FileSystem.sync(folder.archivePath)
        return true
    }

    /// Takes a file out; nothing happens where it is not there.
    ///
    /// - Parameter hash: SHA-256 of its bytes.
    /// - Throws: ``MartError`` of the file.
    public func remove(hash: String) throws(MartError) {
        while let path = path(hash: hash) {
            try FileSystem.remove(path)
            try FileSystem.sync(folder.archivePath + "/" + hash.prefix(2))
        }
    }

    /// Whether a file is there.
    public func contains(hash: String) -> Bool { path(hash: hash) != nil }

    /// Where a file lies; nil where it is missing.
    ///
    /// Its bytes are not looked at.
    public func path(hash: String) -> String? {
        [".csv", ".gz"].map { name(hash, $0) }.first { FileSystem.exists($0) }
    }

    /// Where a file lies, after its bytes have been compared with its name.
    ///
    /// - Parameter hash: SHA-256 of its bytes.
    /// - Returns: Its path.
    /// - Throws: ``MartError`` with code `notFound` where it is missing, `damaged` where its bytes
    ///   have changed.
    public func verifiedPath(hash: String) throws(MartError) -> String {
        guard let path = path(hash: hash) else {
            throw MartError(
                .notFound,
                file: folder.archivePath,
                remedy: "A raw file that was taken in before is missing from the archive (\(hash))."
                    + " Restore it from a backup, or get it again from its source."
            )
        }
        var digest = SHA256()
        try FileSystem.readBlocks(path, blockSize: Self.blockSize) {
            digest.update(bufferPointer: $0)
        }
        guard Hex.text(digest.finalize()) == hash else { throw changed(path) }
        return path
    }

    /// The hashes of all files that are there, sorted.
    public func hashes() throws(MartError) -> [String] {
        var hashes: [String] = []
        for shelf in try FileSystem.names(in: folder.archivePath) {
            for name in try FileSystem.names(in: folder.archivePath + "/" + shelf) {
                let hash = name.prefix { $0 != "." }
                if hash.count == 64 { hashes.append(String(hash)) }
            }
        }
        return hashes
    }

    /// 1 MiB: larger blocks copied and hashed no faster.
    private static let blockSize = 1 << 20

    private func name(_ hash: String, _ suffix: String) -> String {
        folder.archivePath + "/" + hash.prefix(2) + "/" + hash + suffix
    }

    /// Copies a file, syncs it and compares its hash; tells whether it is gzip.
    private func copy(
        _ path: String,
        to temporary: String,
        hash: String
    ) throws(MartError) -> Bool {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.error(errno, temporary, creating: true) }
        defer { close(descriptor) }
        var digest = SHA256()
        var isGzip = false
        var isFirst = true
        try FileSystem.readBlocks(path, blockSize: Self.blockSize) { block throws(MartError) in
            if isFirst { isGzip = block.starts(with: [0x1F, 0x8B]) }
            isFirst = false
            digest.update(bufferPointer: block)
            try FileSystem.writeAll(block, to: descriptor, temporary)
        }
        guard fsync(descriptor) == 0 else { throw FileSystem.error(errno, temporary) }
        guard Hex.text(digest.finalize()) == hash else {
            try FileSystem.remove(temporary)
            throw changed(path)
        }
        return isGzip
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
