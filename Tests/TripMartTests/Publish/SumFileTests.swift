import Glibc
import TestSupport
import Testing
import TripCrypto

@testable import TripMart

@Suite struct SumFileTests {
    private func makeFile(_ size: Int) throws -> (TemporaryFolder, String) {
        let temporary = TemporaryFolder()
        let path = temporary.path + "/file"
        var generator = SeededDice(seed: 1)
        let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        try FileSystem.writeNew(bytes, to: path, mode: 0o600)
        try SumFile.write(for: path, to: SumFile.path(for: path))
        return (temporary, path)
    }

    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5 << 18])
    func untouchedFileAgrees(size: Int) throws {
        let (temporary, path) = try makeFile(size)
        try withExtendedLifetime(temporary) { try SumFile.verify(path) }
    }

    /// The file is not read: a damaged size may be too large to read in any time.
    @Test(arguments: [0, 9, 11, 1 << 42])
    func anotherSizeIsFoundAtOnce(size: Int) throws {
        let (temporary, path) = try makeFile(10)
        defer { withExtendedLifetime(temporary) {} }
        #expect(truncate(path, size) == 0)
        expectFailure(.damaged) { try SumFile.verify(path) }
    }

    @Test(arguments: [0, 1 << 20, (9 << 20) + 5])
    func partsDoNotChangeTheSums(size: Int) throws {
        let (temporary, path) = try makeFile(size)
        let bytes = try withExtendedLifetime(temporary) { try FileSystem.readAll(path) }
        let digests = stride(from: 0, to: size, by: 1 << 20).map {
            SHA256.hash(Array(bytes[$0..<min($0 + 1 << 20, size)]))
        }
        let overall = SHA256.hash(digests.flatMap(\.self))
        let lines =
            ["triptych-sum 1", "algorithm sha256", "block-size 1048576", "size \(size)"]
            + digests.map { "block \(Hex.text($0))" } + ["blocks \(Hex.text(overall))", ""]
        let written = try FileSystem.readAll(SumFile.path(for: path))
        #expect(String(decoding: written, as: UTF8.self) == lines.joined(separator: "\n"))
    }

    @Test func everyFlippedByteIsFound() throws {
        let (temporary, path) = try makeFile(3 << 19)
        var generator = SeededDice(seed: 2)
        for _ in 0..<1_000 {
            let offset = Int64.random(in: 0..<(3 << 19), using: &generator)
            try FileDamage.flip(path, at: offset)
            expectFailure(.damaged) { try SumFile.verify(path) }
            try FileDamage.flip(path, at: offset)
        }
        let sums = SumFile.path(for: path)
        for offset in 0..<(try FileSystem.status(sums).size) {
            try FileDamage.flip(sums, at: offset)
            expectFailure(.damaged) { try SumFile.verify(path) }
            try FileDamage.flip(sums, at: offset)
        }
        try withExtendedLifetime(temporary) { try SumFile.verify(path) }
    }
}
