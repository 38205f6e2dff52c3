import TestSupport
import Testing

@testable import TripMart

/// Compares trees of every shape with the same tables made by INSERT and CREATE INDEX.
@Suite struct BTreeFileTests {
    private static let types = ["INTEGER", "TEXT", "REAL", "BLOB", "CODE"]

    /// Every number of rows up to three levels: an empty tree, one leaf, leaves that are exactly
    /// full, a last row alone in its leaf, a last page alone on its level.
    @Test(arguments: [Array(0..<60), Array(60..<120), Array(120..<180)])
    func everyCountOfRows(_ counts: [Int]) throws {
        var dice = SeededDice(seed: 11)
        var table = MadeTable(["TEXT", "INTEGER"], 180, size: 24, &dice)
        table.indexes = [[0], [1, 0]]
        let all = table.rows
        for count in counts {
            table.rows = Array(all.prefix(count))
            for leafRunSize in count < 30 ? [2, 7, 1000] : [7, 1000] {
                try TablePair(table, leafRunSize: leafRunSize).expectEqual()
            }
        }
    }

    /// Rows of one size: the leaf is full to its last byte with some count of them.
    @Test(arguments: [10, 11, 12, 13, 14, 15, 16, 17])
    func fullToTheLastByte(_ size: Int) throws {
        let text = MadeValue.text(Array(repeating: 0x61, count: size))
        for count in 15..<40 {
            var table = MadeTable(["TEXT"], rows: (1...count).map { [.integer(Int64($0)), text] })
            table.indexes = [[0]]
            try TablePair(table, leafRunSize: 1000).expectEqual()
        }
    }

    @Test(arguments: [512, 1024, 4096, 8192, 65536], [UInt64(1), 2])
    func mixedRows(_ pageSize: Int, _ seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        var table = MadeTable(Self.types, 1500, size: 60, step: 1000, &dice)
        table.pageSize = pageSize
        table.indexes = [[0], [1], [2], [3], [4], [4, 2], [4, 1, 0]]
        try TablePair(table, leafRunSize: 300).expectEqual()
    }

    @Test func fourLevels() throws {
        var dice = SeededDice(seed: 3)
        var table = MadeTable(["CODE", "TEXT"], 12_000, size: 90, step: 1 << 40, &dice)
        table.indexes = [[1], [0]]
        try TablePair(table, leafRunSize: 1000).expectEqual()
    }

    @Test(arguments: [512, 8192])
    func textsOfManyPages(_ pageSize: Int) throws {
        var dice = SeededDice(seed: 4)
        var table = MadeTable(["TEXT", "BLOB", "CODE"], 100, size: 3 * pageSize, &dice)
        table.pageSize = pageSize
        table.indexes = [[0], [1, 0], [2, 0]]
        for leafRunSize in [2, 30, 1000] {
            try TablePair(table, leafRunSize: leafRunSize).expectEqual()
        }
    }

    @Test func twoHundredColumns() throws {
        var dice = SeededDice(seed: 5)
        let types = (0..<200).map { Self.types[$0 % Self.types.count] }
        var table = MadeTable(types, 200, size: 20, &dice)
        table.indexes = [Array(100..<200), [7]]
        table.pageSize = 1024
        try TablePair(table, leafRunSize: 50).expectEqual()
    }

    /// A header takes one byte for its size up to 126 columns, and two from 127 on.
    @Test(arguments: [125, 126, 127, 128])
    func sizeOfTheHeader(_ columns: Int) throws {
        let row = (0..<columns).map { MadeValue.integer(Int64($0)) }
        let types = Array(repeating: "INTEGER", count: columns)
        var table = MadeTable(types, rows: (1...20).map { [.integer($0)] + row })
        table.pageSize = 4096
        table.indexes = [Array(0..<columns - 1)]
        try TablePair(table).expectEqual()
    }

    @Test(arguments: [512, 8192])
    func withoutRowid(_ pageSize: Int) throws {
        var dice = SeededDice(seed: 6)
        var table = MadeTable(Self.types, 1000, size: pageSize / 3, step: 500, &dice)
        table.pageSize = pageSize
        table.isWithoutRowid = true
        try TablePair(table, leafRunSize: 100).expectEqual()
    }

    /// A cell of three bytes is padded to four.
    @Test func shortestCells() throws {
        var table = MadeTable([], rows: [[.integer(0)], [.integer(1)]])
        table.isWithoutRowid = true
        try TablePair(table).expectEqual()
        table.rows = (0..<500).map { [.integer($0)] }
        try TablePair(table).expectEqual()
        try TablePair(table).expectUsable()
    }

    @Test func reservedBytesAtTheEndsOfPages() throws {
        var dice = SeededDice(seed: 7)
        var table = MadeTable(Self.types, 400, size: 700, &dice)
        table.reservedSize = 32
        table.indexes = [[1], [4, 3]]
        let pair = try TablePair(table)
        #expect(try BTreeFile(path: pair.paged).layout.usableSize == 480)
        try pair.expectEqual()
    }

    @Test func extremeRowids() throws {
        let ids: [Int64] = [
            .min, .min + 1, -(1 << 40), -129, -128, -1, 0, 1, 127, 128, 16_383, 16_384, 1 << 55,
            1 << 56, .max - 1, .max,
        ]
        var table = MadeTable(["INTEGER"], rows: ids.map { [.integer($0), .integer(1)] })
        table.indexes = [[0]]
        for leafRunSize in [2, 100] {
            try TablePair(table, leafRunSize: leafRunSize).expectEqual()
        }
    }

    @Test(arguments: [512, 1024, 8192])
    func sqliteCanChangeTheFile(_ pageSize: Int) throws {
        var dice = SeededDice(seed: 8)
        var table = MadeTable(Self.types, 1200, size: 150, &dice)
        table.pageSize = pageSize
        table.indexes = [[0], [1], [4, 2]]
        try TablePair(table, leafRunSize: 100).expectUsable()
    }

    @Test func threadsDoNotChangeTheFile() throws {
        var dice = SeededDice(seed: 9)
        var table = MadeTable(Self.types, 3000, size: 300, step: 9, &dice)
        table.indexes = [[0], [1], [4, 3]]
        let one = try TablePair(table, threads: 1, leafRunSize: 100).pagedBytes
        #expect(one.count > 512)
        for threads in [2, 3, 8] {
            let pair = try TablePair(table, threads: threads, leafRunSize: 100)
            // Not compared within the expectation, which would compute every difference.
            let areSame = pair.pagedBytes == one
            #expect(areSame, "\(threads) threads")
        }
    }

    /// A leaf is full: the next cell would not fit.
    @Test func leavesAreFull() throws {
        let rows = (1...4000).map { [MadeValue.integer($0), .integer($0), .integer(-$0)] }
        let table = MadeTable(["INTEGER", "INTEGER"], rows: rows)
        let pair = try TablePair(table, leafRunSize: 10_000)
        let database = try MadeDatabase(pair.paged)
        let reference = try MadeDatabase(pair.inserted)
        let expected = try reference.integer("PRAGMA page_count")
        #expect(try database.integer("PRAGMA page_count") <= expected)
    }
}
