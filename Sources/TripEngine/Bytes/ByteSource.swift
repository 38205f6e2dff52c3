internal import Glibc
internal import TripCrypto
internal import TripDomain

/// The hashes and sizes of a file that was read to its end without a fault.
public struct SourceDigest: Sendable, Hashable {
    /// SHA-256 of the bytes as delivered, lower-case hexadecimal: the name in the archive.
    ///
    /// Nil where no hash was asked for.
    public let archiveHash: String?
    /// Size of the bytes as delivered.
    public let archiveSize: Int
    /// SHA-256 of the expanded content, lower-case hexadecimal; nil where no hash was asked for.
    public let contentHash: String?
    /// Size of the expanded content.
    public let expandedSize: Int
    /// Whether the last byte of the expanded content ends a line: it is LF or CR.
    public let endsInLineBreak: Bool

    /// Describes a file that another process read.
    public init(
        archiveHash: String?,
        archiveSize: Int,
        contentHash: String?,
        expandedSize: Int,
        endsInLineBreak: Bool
    ) {
        self.archiveHash = archiveHash
        self.archiveSize = archiveSize
        self.contentHash = contentHash
        self.expandedSize = expandedSize
        self.endsInLineBreak = endsInLineBreak
    }
}

/// Which bytes of a file are hashed while they are read.
public enum Hashing: Sendable, Hashable {
    /// None.
    case none
    /// The expanded content.
    case content
    /// The bytes as delivered, and the expanded content.
    case all
}

/// One export, plain or gzip, read as a stream of expanded bytes with bounded memory.
///
/// The first bytes decide whether it is gzip. The name does not, except that a file named `….gz`
/// with other content is refused. The requested hashes are computed while the bytes are read.
///
/// **Nothing read from a source may be kept before `finish` has returned.** Until then a check
/// value of gzip, or a change of the file during the reading, can still invalidate all of it.
///
/// Used by one thread at a time; several sources may be read at once.
public final class ByteSource {
    private enum Content {
        case plain(prefix: [UInt8])
        case gzip(GzipReader)
    }

    /// The path below the input folder, as faults name it.
    public let name: String
    /// Whether the content is gzip.
    public var isCompressed: Bool {
        if case .gzip = content { true } else { false }
    }
    /// Expanded bytes handed out so far.
    public private(set) var expandedSize = 0
    private let raw: RawBytes
    private var content: Content
    private var hasher: SHA256?
    private var isAtEnd = false
    private var lastByte: UInt8?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: Its path below the input folder, for positions and faults.
    ///   - limits: How far a compressed file may expand.
    ///   - hashing: Which bytes are hashed.
    ///   - buffers: Memory for gzip members that are expanded at once.
    /// - Throws: ``SourceFault`` where it is no readable regular file, or is named `….gz` without
    ///   being gzip.
    public convenience init(
        path: String,
        name: String,
        limits: ExpansionLimits = ExpansionLimits(),
        hashing: Hashing = .all,
        buffers: ExpansionBuffers = ExpansionBuffers()
    ) throws(SourceFault) {
        try self.init(
            raw: RawBytes(path: path, name: name, computesHash: hashing == .all),
            limits: limits,
            hashing: hashing,
            buffers: buffers
        )
    }

    /// Reads a file that comes through a pipe.
    ///
    /// - Parameters:
    ///   - stream: The pipe, and the size of the file.
    ///   - name: Its path below the input folder, for positions and faults.
    ///   - limits: How far a compressed file may expand.
    ///   - hashing: Which bytes are hashed.
    ///   - buffers: Memory for gzip members that are expanded at once.
    /// - Throws: ``SourceFault`` where the file is named `….gz` without being gzip.
    public convenience init(
        stream: ExportStream,
        name: String,
        limits: ExpansionLimits = ExpansionLimits(),
        hashing: Hashing = .all,
        buffers: ExpansionBuffers = ExpansionBuffers()
    ) throws(SourceFault) {
        try self.init(
            raw: RawBytes(stream: stream, name: name, computesHash: hashing == .all),
            limits: limits,
            hashing: hashing,
            buffers: buffers
        )
    }

    /// The bytes as delivered that were read so far.
    var deliveredSize: Int { raw.size }

    /// Reads a file that is in memory already.
    ///
    /// - Parameters:
    ///   - bytes: The file as delivered.
    ///   - name: Its path below the input folder, for positions and faults.
    ///   - limits: How far a compressed file may expand.
    /// - Throws: ``SourceFault`` where the file is named `….gz` without being gzip.
    public convenience init(
        bytes: [UInt8],
        name: String,
        limits: ExpansionLimits = ExpansionLimits()
    ) throws(SourceFault) {
        try self.init(
            raw: RawBytes(bytes: bytes, name: name),
            limits: limits,
            hashing: .all,
            buffers: ExpansionBuffers()
        )
    }

    private init(
        raw: RawBytes,
        limits: ExpansionLimits,
        hashing: Hashing,
        buffers: ExpansionBuffers
    ) throws(SourceFault) {
        self.raw = raw
        name = raw.name
        let prefix = try raw.prefix(2)
        let isGzip = prefix == [0x1F, 0x8B] || prefix == [0x1F]
        // A plain file that is hashed as delivered needs no second hash.
        let isHashed = hashing == .content || (hashing == .all && isGzip)
        hasher = isHashed ? SHA256() : nil
        if isGzip {
            content = .gzip(GzipReader(raw: raw, prefix: prefix, limits: limits, buffers: buffers))
            return
        }
        content = .plain(prefix: prefix)
        let isNamedGzip = name.utf8.count > 3 && name.lowercased().hasSuffix(".gz")
        guard prefix.isEmpty || !isNamedGzip else {
            throw SourceFault(
                code: .notGzip,
                position: SourcePosition(file: name),
                finding: "is named .gz, but its content does not begin with 1F 8B as gzip does",
                remedy: "If it is plain text, remove .gz from its name; otherwise get it again."
            )
        }
    }

    /// Fills a buffer with the next expanded bytes.
    ///
    /// - Parameter buffer: Where the bytes go; not empty.
    /// - Returns: The number of bytes; less than the buffer's size only at the end.
    /// - Throws: ``SourceFault`` where the file cannot be read or is damaged.
    public func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(SourceFault) -> Int {
        guard !isAtEnd else { return 0 }
        let count: Int
        switch content {
        case .plain(let prefix):
            let taken = min(prefix.count, buffer.count)
            _ = buffer.update(fromContentsOf: prefix.prefix(taken))
            if taken > 0 { content = .plain(prefix: Array(prefix.dropFirst(taken))) }
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[taken...])
            count = taken + (try raw.read(into: UnsafeMutableRawBufferPointer(rest)))
        case .gzip(let reader):
            count = try reader.read(into: buffer)
        }
        let filled = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        hasher?.update(UnsafeRawBufferPointer(filled))
        expandedSize += count
        lastByte = filled.last ?? lastByte
        isAtEnd = count < buffer.count
        return count
    }

    /// Confirms the file as a whole; only after this may anything read from it be kept.
    ///
    /// - Returns: Hashes and sizes.
    /// - Throws: ``SourceFault`` `changedWhileRead` where the file was written to in the meantime.
    /// - Precondition: `read` has returned fewer bytes than the buffer holds.
    public func finish() throws(SourceFault) -> SourceDigest {
        precondition(isAtEnd, "a source is confirmed after its last byte")
        let archiveHash = try raw.finish()
        return SourceDigest(
            archiveHash: archiveHash,
            archiveSize: raw.size,
            contentHash: (hasher.take()?.finish()).map(RawBytes.hexadecimal)
                ?? (isCompressed ? nil : archiveHash),
            expandedSize: expandedSize,
            endsInLineBreak: lastByte == 0x0A || lastByte == 0x0D
        )
    }
}

/// SHA-256 of files and texts, as lower-case hexadecimal.
public enum ContentHash {
    /// The hash of a file's bytes as delivered.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: Its path below the input folder, for faults.
    ///   - visit: Called with the bytes, block by block, as they are read.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: ``SourceFault`` where it is no readable regular file or changes while it is read,
    ///   and any error of `visit`.
    public static func ofFile(
        path: String,
        name: String,
        visit: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> String {
        let raw = try RawBytes(path: path, name: name, computesHash: true)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var count: Int
        repeat {
            count = try raw.read(into: buffer)
            try visit(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } while count == buffer.count
        return computed(try raw.finish())
    }

    /// The hash of a file's expanded content; of a plain file, the hash of its own bytes.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - limits: How far a compressed file may expand.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: ``SourceFault`` where the file is unreadable or damaged.
    public static func ofExpanded(
        path: String,
        limits: ExpansionLimits
    ) throws(SourceFault) -> String {
        let source = try ByteSource(path: path, name: path, limits: limits, hashing: .content)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
        defer { buffer.deallocate() }
        while try source.read(into: buffer) == buffer.count {}
        return computed(try source.finish().contentHash)
    }

    private static func computed(_ hash: String?) -> String {
        guard let hash else { preconditionFailure("a hash was asked for") }
        return hash
    }

    /// The hash of bytes in memory.
    public static func of(_ bytes: [UInt8]) -> String {
        RawBytes.hexadecimal(SHA256.hash(bytes))
    }
}
