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

    @Test func aCommandNamesTheMartUnlessItIsTheUsualOne() {
        #expect(MartFolder(path: MartFolder.usualPath).flags() == "")
        #expect(MartFolder(path: "a mart").flags(keyPath: "k") == " --mart 'a mart' --key-file k")
    }

    @Test(arguments: [
        ("m/generations/000001.sqlite", "m"), ("/a/b/history/000001.sqlite", "/a/b"),
        ("m/runs.sqlite", "m"), ("m/plans/1.plan", "m"), ("runs.sqlite", "."), ("/x", "/"),
        ("generations/000001.sqlite", "."),
    ])
    func aFileTellsItsMart(file: String, mart: String) {
        #expect(MartFolder(holding: file).path == mart)
    }
}
