import Testing

@testable import TripMart

@Suite struct MartFolderTests {
    /// Whatever the names of files, there is a next number, which no file has.
    @Test func aTooLongNameIsNoGeneration() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path + "/mart")
        try folder.create()
        let names = [
            "9223372036854775807.x", "9223372036854775807.sqlite", "1000000000.sqlite",
            "99999999999999999999.sqlite", "00001.sqlite", "x.sqlite",
        ]
        for name in names {
            try FileSystem.writeNew([], to: "\(folder.generationsPath)/\(name)", mode: 0o600)
        }
        #expect(try folder.nextNumber() == 1 && !folder.hasGenerations())
        #expect(try folder.generationNumbers() == [])
        try FileSystem.writeNew([], to: folder.generationPath(41), mode: 0o600)
        #expect(try folder.nextNumber() == 42 && folder.hasGenerations())
    }
}
