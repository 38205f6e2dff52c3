import TestSupport
import Testing
import TripDomain

@testable import TripMart

/// Records that are kept come back as they were, from memory and from the file.
@Suite struct RejectSpoolTests {
    private static func texts(_ seed: Int) -> [[UInt8]] {
        var dice = SeededDice(seed: UInt64(seed))
        return (0..<300).map { _ in
            let byte = UInt8(dice.below(256))
            return [UInt8](repeating: byte, count: dice.oneIn(9) ? 0 : dice.below(400))
        }
    }

    @Test(arguments: [0, 1, 700, 20_000, 10_000_000])
    func everyRecordComesBack(residentSizeMax: Int) throws {
        let mart = try BuiltMart()
        let spool = RejectSpool(mart.folder, residentSizeMax: residentSizeMax)
        // The slow twin keeps them all.
        let parts = (0..<8).map(Self.texts)
        let places = Parallel.map(parts.count, threads: 4) { part in
            Result {
                try stride(from: 0, to: 300, by: 25).flatMap {
                    try spool.keep(Array(parts[part][$0..<$0 + 25]))
                }
            }
        }
        for (part, places) in zip(parts, places) {
            let texts = SpooledTexts(spool, try places.get())
            #expect(texts.count == part.count)
            #expect(try part.indices.map { try texts.text($0) } == part)
        }
        let size = parts.joined().reduce(0) { $0 + $1.count }
        #expect(spool.residentSize <= residentSizeMax)
        #expect(spool.residentSize + spool.spooledSize == size)
    }

    @Test func memoryIsBoundedWhateverIsKept() throws {
        let mart = try BuiltMart()
        let spool = RejectSpool(mart.folder)
        let record = [UInt8](repeating: 120, count: 1300)
        for _ in 0..<40 { _ = try spool.keep(Array(repeating: record, count: 1000)) }
        #expect(spool.residentSize <= RejectSpool.residentSizeMax)
        #expect(spool.residentSize + spool.spooledSize == 40 * 1000 * 1300)
    }

    @Test func itsFileHasNoName() throws {
        let mart = try BuiltMart()
        let before = try FileSystem.names(in: mart.folder.generationsPath)
        let spool = RejectSpool(mart.folder, residentSizeMax: 0)
        let place = try spool.keep([[1, 2, 3]])[0]
        #expect(try FileSystem.names(in: mart.folder.generationsPath) == before)
        #expect(try spool.text(at: place) == [1, 2, 3])
    }

    @Test func aFolderThatIsMissingIsAFailure() {
        let spool = RejectSpool(MartFolder(path: "/dev/null/mart"), residentSizeMax: 0)
        #expect(throws: MartError.self) { try spool.keep([[1]]) }
    }
}
