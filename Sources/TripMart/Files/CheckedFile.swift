import Synchronization
import TripDomain

/// The bytes of a published file: each block is compared with its check sum when it is first read.
///
/// An answer reads a few blocks of a file of thousands, and a changed bit matters where it is read.
/// So a question about one trip hashes a megabyte or two, and a bit that changed elsewhere does not
/// keep it from its answer. A whole scan calls ``requireAll()`` instead, which uses all cores.
///
/// Several threads may read at once; two that come upon a block at the same time both hash it.
final class CheckedFile: Sendable {
    let path: String
    private let file: PageFile
    private let sums: BlockSums
    /// Whether each block was found as it was written.
    private let isChecked: Mutex<[Bool]>

    /// Opens a file whose check sums lie beside it.
    ///
    /// - Throws: ``MartError`` with code `damaged` where the sums are not as they were written, are
    ///   missing, or are of a file of another size; or of the files.
    init(path: String) throws(MartError) {
        self.path = path
        do throws(MartError) {
            sums = try SumFile.read(for: path)
        } catch {
            guard error.code == .notFound, FileSystem.exists(path) else { throw error }
            throw MartError(
                .damaged,
                file: SumFile.path(for: path),
                remedy: "The check sums are missing. " + MartError.waysOut
            )
        }
        file = try PageFile(path: path, isWritable: false)
        guard try file.size == sums.size else { throw BlockSums.otherSize(try file.size, path) }
        isChecked = Mutex(Array(repeating: false, count: sums.blocks.count))
    }

    /// The size in bytes.
    var size: Int { sums.size }

    /// Reads bytes of the file.
    ///
    /// - Precondition: The range lies inside the file.
    /// - Throws: ``MartError`` with code `damaged` where a block differs from its sum; or of the
    ///   file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(MartError) {
        guard !buffer.isEmpty else { return }
        let last = (offset + buffer.count - 1) / SumFile.blockSize
        for block in offset / SumFile.blockSize...last { try require(block) }
        try file.read(into: buffer, at: offset)
    }

    /// Compares every block with its sum that was not compared yet.
    ///
    /// - Throws: ``MartError`` as ``read(into:at:)``.
    /// - Complexity: O(*n*) in the bytes of the file, on all cores.
    func requireAll() throws(MartError) {
        let results = Parallel.map(sums.blocks.count) { block in
            Result { () throws(MartError) in try self.require(block) }
        }
        for result in results { try result.get() }
    }

    private func require(_ block: Int) throws(MartError) {
        if isChecked.withLock({ $0[block] }) { return }
        let start = block * SumFile.blockSize
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(SumFile.blockSize, size - start),
            alignment: 64
        )
        defer { bytes.deallocate() }
        try file.read(into: bytes, at: start)
        guard BlockSums.digest(UnsafeRawBufferPointer(bytes)) == sums.blocks[block] else {
            throw sums.differs(block, path)
        }
        isChecked.withLock { $0[block] = true }
    }
}
