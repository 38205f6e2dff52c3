import Glibc
import Testing

@testable import TripMart

@Suite struct ArchiveTests {
    private func file(_ mart: BuiltMart, _ bytes: [UInt8]) throws -> (path: String, hash: String) {
        let path = mart.temporary.path + "/delivered"
        try FileSystem.remove(path)
        try FileSystem.writeNew(bytes, to: path, mode: 0o644)
        return (path, Hex.sha256(bytes))
    }

    /// The names of all archived files.
    private func archived(_ mart: BuiltMart) throws -> [String] {
        let archive = mart.folder.archivePath
        return try FileSystem.names(in: archive).filter { $0.count == 2 }.flatMap {
            try FileSystem.names(in: archive + "/" + $0)
        }
    }

    @Test(arguments: [
        ([UInt8](), ".csv"), (Array("a,b\n".utf8), ".csv"), ([0x1F, 0x8B, 8], ".gz"),
    ])
    func fileIsArchivedOnceAsDelivered(bytes: [UInt8], suffix: String) throws {
        let mart = try BuiltMart()
        let (path, hash) = try file(mart, bytes)
        let archive = Archive(mart.folder)
        #expect(!archive.contains(hash: hash))
        let staged = try archive.staged(path, hash)
        #expect(try FileSystem.readAll(staged) == bytes)
        #expect(!archive.contains(hash: hash))
        try archive.takeIn([hash])
        #expect(!FileSystem.exists(staged))
        // The copy replaces a file that is already archived.
        #expect(try archive.staged(path, hash) == staged)
        try archive.takeIn([hash])
        #expect(!FileSystem.exists(staged))
        // An archived file that is not staged stays.
        try archive.takeIn([hash])
        let kept = try archive.verifiedPath(hash: hash)
        #expect(kept.hasSuffix("/archive/\(hash.prefix(2))/\(hash)\(suffix)"))
        #expect(try FileSystem.readAll(kept) == bytes)
        #expect(try archived(mart) == [hash + suffix])
        var status = stat()
        #expect(stat(kept, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func damagedFileIsReplacedByItsCopy() throws {
        let mart = try BuiltMart()
        let (path, hash) = try file(mart, [1, 2, 3])
        let archive = Archive(mart.folder)
        _ = try archive.staged(path, hash)
        try archive.takeIn([hash])
        try FileDamage.flip(archive.verifiedPath(hash: hash), at: 1)
        expectFailure(.damaged) { _ = try archive.verifiedPath(hash: hash) }
        let staged = try archive.staged(path, hash)
        #expect(try FileSystem.readAll(staged) == [1, 2, 3])
        try archive.takeIn([hash])
        _ = try archive.verifiedPath(hash: hash)
    }

    @Test func unfinishedCopyIsRemoved() throws {
        let mart = try BuiltMart()
        let archive = Archive(mart.folder)
        do {
            let copy = try archive.beginCopy(number: 7)
            try [UInt8](repeating: 1, count: 9).withUnsafeBytes { try copy.append($0) }
            let names = try FileSystem.names(in: mart.folder.archivePath + "/.new")
            #expect(names == [".part-7"])
        }
        #expect(try FileSystem.names(in: mart.folder.archivePath + "/.new").isEmpty)
    }

    @Test func stagedFileThatIsNotArchivedIsRemoved() throws {
        let mart = try BuiltMart()
        let (path, hash) = try file(mart, [1, 2, 3])
        let archive = Archive(mart.folder)
        let staged = try archive.staged(path, hash)
        try archive.removeStaged()
        #expect(!FileSystem.exists(staged))
        #expect(try archived(mart).isEmpty)
        // Without a staged file there is nothing to remove.
        try archive.removeStaged()
    }

    @Test func missingAndDamagedFilesAreFound() throws {
        let mart = try BuiltMart()
        let (path, hash) = try file(mart, [1, 2, 3])
        let archive = Archive(mart.folder)
        expectFailure(.notFound) { _ = try archive.verifiedPath(hash: hash) }
        expectFailure(.notFound) { try archive.takeIn([hash]) }
        _ = try archive.staged(path, hash)
        try archive.takeIn([hash])
        try FileDamage.flip(archive.verifiedPath(hash: hash), at: 1)
        expectFailure(.damaged) { _ = try archive.verifiedPath(hash: hash) }
    }
}

extension Archive {
    /// Copies a file for the current run.
    fileprivate func staged(_ path: String, _ hash: String) throws(MartError) -> String {
        let copy = try beginCopy(number: 1)
        try FileSystem.readBlocks(path, blockSize: 1 << 16) { block throws(MartError) in
            try copy.append(block)
        }
        return try end(copy, hash: hash)
    }
}
