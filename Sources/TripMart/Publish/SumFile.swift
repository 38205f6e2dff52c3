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

    /// Computes the sums of a file and writes them beside it, synced.
    static func write(for file: String, to path: String) throws(MartError) {
        let sums = try sums(of: file, size: try FileSystem.status(file).size)
        try FileSystem.remove(path)
        try FileSystem.writeNew(Array(sums.text.utf8), to: path, mode: 0o640)
    }

    /// Compares a file with the sums beside it.
    ///
    /// - Parameter file: The file; its sums lie beside it.
    /// - Throws: ``MartError`` with code `damaged` where a byte differs, in the file or in its
    ///   sums, with the number of the first block that does; or of the files.
    public static func verify(_ file: String) throws(MartError) {
        let written = String(decoding: try FileSystem.readAll(path(for: file)), as: UTF8.self)
        let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
        let size = try FileSystem.status(file).size
        // A file with another size is not read: a damaged size may be any number.
        guard lines.dropFirst(headerLineCount - 1).first == "size \(size)" else {
            throw MartError(
                .damaged,
                file: file,
                remedy: "The file has \(size) bytes, unlike its check sums. Go back to an "
                    + "undamaged generation: triptych rollback NUMBER"
            )
        }
        let sums = try sums(of: file, size: size)
        guard written != sums.text else { return }
        let expected = sums.text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(lines, expected).prefix { $0 == $1 }.count
        let block = max(0, line - headerLineCount) + 1
        throw MartError(
            .damaged,
            file: file,
            remedy: "The file differs from its check sums, first in block \(block) of "
                + "\(sums.blocks.count). Go back to an undamaged generation: triptych rollback "
                + "NUMBER"
        )
    }

    /// The sum over all blocks of a file, as its sum file has it; the file itself is not read.
    ///
    /// - Parameter file: The file; its sums lie beside it.
    /// - Returns: Lower-case hexadecimal digits.
    /// - Throws: ``MartError`` with code `damaged` where the sum file is invalid; or an error of
    ///   the file.
    public static func written(for file: String) throws(MartError) -> String {
        let sums = String(decoding: try FileSystem.readAll(path(for: file)), as: UTF8.self)
        guard let last = sums.split(separator: "\n").last, last.hasPrefix("blocks ") else {
            throw MartError(
                .damaged,
                file: path(for: file),
                remedy: "The check sums are damaged. Verify the generation."
            )
        }
        return String(last.dropFirst("blocks ".count))
    }

    private static let headerLineCount = 4

    private struct Sums {
        var size = 0
        var blocks: [[UInt8]] = []

        var text: String {
            var overall = SHA256()
            for block in blocks { overall.update(block) }
            let lines =
                [
                    "triptych-sum 1", "algorithm sha256", "block-size \(blockSize)",
                    "size \(size)",
                ] + blocks.map { "block " + Hex.text($0) }
                + ["blocks " + Hex.text(overall.finish())]
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// Hashes the file's first `size` bytes in parts on all cores.
    private static func sums(of file: String, size: Int64) throws(MartError) -> Sums {
        let size = Int(size)
        let portion = 4 * blockSize
        let portions = Parallel.map((size + portion - 1) / portion) { number in
            Result { () throws(MartError) in
                var part = Sums()
                let start = number * portion
                try FileSystem.readBlocks(
                    file,
                    range: start..<min(start + portion, size),
                    blockSize: blockSize
                ) { block throws(MartError) in
                    var hash = SHA256()
                    hash.update(block)
                    part.blocks.append(hash.finish())
                    part.size += block.count
                }
                return part
            }
        }
        var sums = Sums()
        for part in portions {
            sums.blocks += try part.get().blocks
            sums.size += try part.get().size
        }
        return sums
    }
}
