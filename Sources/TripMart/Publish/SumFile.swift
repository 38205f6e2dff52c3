import TripCrypto
import TripDomain

/// The checksums of a published file in a file beside it, block by block, so that damage is
/// detected and located.
///
///     triptych-sum 1
///     algorithm sha256
///     block-size 1048576
///     size 734003200
///     block 9f86d0…            one line per block, in order
///     blocks 4e07408…          over the digests of the blocks, as bytes
public enum SumFile {
    /// 1 MiB: a block with a wrong sum is small enough to inspect, and the sums of 1 GB take 70 kB.
    static let blockSize = 1 << 20

    /// The name of the sums of a file.
    public static func path(for file: String) -> String { file + ".sum" }

    /// Computes the sums of a file and writes them, synced, to a name that is new.
    static func write(for file: String, to path: String) throws(MartError) {
        let sums = try sums(of: file, size: try FileSystem.status(file).size)
        try FileSystem.writeNew(Array(sums.text.utf8), to: path, mode: 0o640)
    }

    /// Compares a file with the sums beside it.
    ///
    /// - Parameter file: The file; its sums lie beside it.
    /// - Throws: ``MartError`` with code `damaged` where a byte differs, in the file or in its
    ///   sums, with the number of the first block that does; or of the files.
    public static func verify(_ file: String) throws(MartError) {
        let written = try read(for: file)
        let size = try FileSystem.status(file).size
        // A file with another size is not read: a damaged size may be any number.
        guard size == written.size else { throw BlockSums.otherSize(Int(size), file) }
        let sums = try sums(of: file, size: size)
        if let block = zip(written.blocks, sums.blocks).enumerated().first(where: { $1.0 != $1.1 })
        {
            throw sums.differs(block.offset, file)
        }
    }

    /// The sum over all blocks of a file, as its sum file has it; the file itself is not read.
    ///
    /// - Parameter file: The file; its sums lie beside it.
    /// - Returns: Lower-case hexadecimal digits.
    /// - Throws: ``MartError`` with code `damaged` where the sum file is invalid; or an error of
    ///   the file.
    public static func written(for file: String) throws(MartError) -> String {
        try read(for: file).overall
    }

    /// The sums beside a file; the file itself is not read.
    ///
    /// - Throws: ``MartError`` with code `damaged` where a byte of the sums has changed; or an
    ///   error of the file.
    static func read(for file: String) throws(MartError) -> BlockSums {
        let path = path(for: file)
        let text = String(decoding: try FileSystem.readAll(path), as: UTF8.self)
        guard let sums = BlockSums(text: text) else {
            throw MartError(.damaged, file: path, remedy: MartError.waysOut)
        }
        return sums
    }

    /// Hashes the file's first `size` bytes in parts on all cores.
    private static func sums(of file: String, size: Int64) throws(MartError) -> BlockSums {
        let size = Int(size)
        let portion = 4 * blockSize
        let portions = Parallel.map((size + portion - 1) / portion) { number in
            Result { () throws(MartError) in
                var part = BlockSums()
                let start = number * portion
                try FileSystem.readBlocks(
                    file,
                    range: start..<min(start + portion, size),
                    blockSize: blockSize
                ) { block throws(MartError) in
                    part.append(block)
                }
                return part
            }
        }
        var sums = BlockSums()
        for part in portions {
            let part = try part.get()
            sums.blocks += part.blocks
            sums.size += part.size
        }
        return sums
    }
}

/// The checksums of the blocks of a file.
struct BlockSums: Sendable {
    /// The bytes of the file.
    fileprivate(set) var size = 0
    /// SHA-256 of each block.
    fileprivate(set) var blocks: [[UInt8]] = []

    fileprivate init() {}

    /// Reads a sum file; nil where it is not exactly as it was written.
    fileprivate init?(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2 else { return nil }
            switch words[0] {
            case "size": size = Int(words[1]) ?? 0
            case "block":
                guard let digest = Hex.bytes(words[1]) else { return nil }
                blocks.append(digest)
            default: break
            }
        }
        guard blocks.count == Self.blockCount(size), self.text == text else { return nil }
    }

    /// The number of blocks of a file.
    static func blockCount(_ size: Int) -> Int {
        size / SumFile.blockSize + (size % SumFile.blockSize > 0 ? 1 : 0)
    }

    /// Adds the next block.
    fileprivate mutating func append(_ block: UnsafeRawBufferPointer) {
        blocks.append(Self.digest(block))
        size += block.count
    }

    /// The sum of one block.
    static func digest(_ block: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(block)
        return hash.finish()
    }

    /// The sum over all blocks.
    fileprivate var overall: String {
        var overall = SHA256()
        for block in blocks { overall.update(block) }
        return Hex.text(overall.finish())
    }

    fileprivate var text: String {
        let lines =
            [
                "triptych-sum 1", "algorithm sha256", "block-size \(SumFile.blockSize)",
                "size \(size)",
            ] + blocks.map { "block " + Hex.text($0) } + ["blocks " + overall]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The error of a file whose size is not that of its sums.
    static func otherSize(_ size: Int, _ file: String) -> MartError {
        MartError(
            .damaged,
            file: file,
            remedy: "The file has \(size) bytes, unlike its check sums. "
                + MartError.waysOut
        )
    }

    /// The error of a block, by its index, that is not as it was written.
    func differs(_ index: Int, _ file: String) -> MartError {
        MartError(
            .damaged,
            file: file,
            remedy: "The file differs from its check sums, first in block \(index + 1) of "
                + "\(blocks.count). " + MartError.waysOut
        )
    }
}
