internal import Glibc
internal import TripCrypto

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
