import Testing

@testable import TripMart

@Suite struct SumFileTests {
    private func makeFile(_ size: Int) throws -> (TemporaryFolder, String) {
        let temporary = TemporaryFolder()
        let path = temporary.path + "/file"
        var generator = SplitMix64(seed: 1)
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

    @Test func everyFlippedByteIsFound() throws {
        let (temporary, path) = try makeFile(3 << 19)
        var generator = SplitMix64(seed: 2)
        for _ in 0..<20 {
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
