import Glibc
import TestSupport
import Testing

@testable import TripMart

/// The sizes and numbers that the file format prescribes.
@Suite struct PageLayoutTests {
    /// The figures in SQLite's documentation for pages of 4096 bytes and its own minimum.
    @Test func limitsOfTheFormat() {
        let layout = PageLayout(pageSize: 4096)
        #expect(layout.maxLocalSize(.table) == 4061)
        #expect(layout.maxLocalSize(.index) == 1002)
        #expect(layout.localSize(of: 4062, .table) == 489)
        #expect(layout.overflowSize == 4092)
        #expect(layout.lockPageNumber == 262_145)
        #expect(PageLayout(pageSize: 512, reservedSize: 32).usableSize == 480)
    }

    @Test func ordinalsLeaveOutTheLockPage() {
        let layout = PageLayout(pageSize: 65536)
        #expect(layout.lockPageNumber == 16_385)
        #expect(
            (16_383...16_386).map { layout.pageNumber(ordinal: $0) } == [
                16_383, 16_384, 16_386, 16_387,
            ]
        )
        for number in [1, 16_384, 16_386, 20_000] {
            #expect(layout.pageNumber(ordinal: layout.ordinal(lastPageNumber: number)) == number)
        }
    }

    /// Pages on both sides of byte 2³⁰, whose page is left out.
    ///
    /// Free pages make the file that long: one lists them all, and the disk stores none of them.
    @Test(arguments: [0, 1, 2, 3, 4, 9])
    func pagesAroundTheLockPage(_ distance: Int) throws {
        var dice = SeededDice(seed: 12)
        var table = MadeTable(["TEXT", "INTEGER"], 3000, size: 400, &dice)
        table.pageSize = 65536
        table.indexes = [[0]]
        let folder = TemporaryFolder()
        let paths = ["a", "b", "c"].map { folder.path + "/" + $0 }
        try table.writeByInsert(paths[0])
        for (path, threads) in [(paths[1], 1), (paths[2], 3)] {
            try table.writeAsPages(path, reference: paths[0], threads: threads) { path in
                try Self.lengthen(path, toPage: 16_384 - distance)
            }
        }
        let reference = try MadeDatabase(paths[0])
        for path in paths.dropFirst() {
            let database = try MadeDatabase(path)
            try database.expectSound()
            for query in ["SELECT * FROM t", "SELECT c0, id FROM t INDEXED BY i0 ORDER BY 1, 2"] {
                let areSame = try database.rows(query) == reference.rows(query)
                #expect(areSame)
            }
            #expect(try database.integer("PRAGMA page_count") > 16_386)
        }
    }

    /// Adds free pages up to a page number.
    private static func lengthen(_ path: String, toPage last: Int) throws {
        var bytes = TablePair.bytes(path)
        let trunk = bytes.count / 65536 + 1
        let free = Array(trunk + 1...last)
        func word(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        bytes.replaceSubrange(28..<40, with: word(last) + word(trunk) + word(free.count + 1))
        bytes += word(0) + word(free.count) + free.flatMap(word)
        let stream = try #require(fopen(path, "w"))
        #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
        fclose(stream)
        #expect(truncate(path, last * 65536) == 0)
    }
}
