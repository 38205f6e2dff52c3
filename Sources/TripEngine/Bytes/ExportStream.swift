/// An export whose bytes come through a pipe.
public struct ExportStream: Sendable, Hashable {
    /// The descriptor that they are read from.
    public let descriptor: Int32
    /// How many bytes there are, as the file was listed.
    public let size: Int

    /// Describes a stream.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor that the bytes are read from; the caller closes it.
    ///   - size: How many bytes there are, as the file was listed.
    public init(descriptor: Int32, size: Int) {
        (self.descriptor, self.size) = (descriptor, size)
    }

    /// Reads what is left of a stream whose content is at fault.
    ///
    /// A stream that ends early, or goes on, is no damaged file: it was written to since it was
    /// listed.
    ///
    /// - Parameters:
    ///   - name: The file's path below the input folder.
    ///   - count: How many bytes were read before.
    /// - Throws: ``SourceFault`` `changedWhileRead` where the stream has another size than the file
    ///   had; `cannotRead` where it cannot be read.
    public func drain(name: String, after count: Int) throws(SourceFault) {
        let raw = RawBytes(stream: self, name: name, computesHash: false)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while try raw.read(into: buffer) == buffer.count {}
        guard count + raw.size == size else {
            throw RawBytes.changed(name, listed: size, read: count + raw.size)
        }
    }
}
