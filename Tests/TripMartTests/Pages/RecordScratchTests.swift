import TestSupport
import Testing

@testable import TripMart

/// Compares records and cells byte by byte: a table of one leaf is the same page that INSERT makes.
@Suite struct RecordScratchTests {
    @Test func integersOfEverySize() throws {
        try expectSamePages(["INTEGER"], MadeValue.borderIntegers.map { [.integer($0)] })
    }

    @Test func realsAsSQLiteStoresThem() throws {
        try expectSamePages(["REAL"], MadeValue.borderReals.map { [.real($0)] })
    }

    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 57, 58, 100, 5000])
    func textsAndBlobsOfEverySize(_ size: Int) throws {
        let bytes = (0..<size).map { UInt8(0x41 + $0 % 26) }
        try expectSamePages(["TEXT", "BLOB"], [[.text(bytes), .blob(bytes)], [.null, .null]])
    }

    /// Types of two bytes before and after types of one.
    @Test func longTypesAmongShortOnes() throws {
        let long = MadeValue.text(Array(repeating: 0x62, count: 90))
        try expectSamePages(
            ["INTEGER", "TEXT", "REAL", "TEXT", "TEXT", "INTEGER"],
            [
                [.integer(5), long, .real(0.5), long, .null, .integer(-300)],
                [.null, .null, .null, long, long, .integer(0)],
                [.integer(1), .text([]), .real(2), .null, long, .null],
            ]
        )
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func randomRows(_ seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        let types = ["INTEGER", "TEXT", "REAL", "CODE", "BLOB", "TEXT", "INTEGER"]
        var table = MadeTable(types, 200, size: 130, step: 1 << 50, &dice)
        table.pageSize = 65536
        try TablePair(table, leafRunSize: 1000).expectSamePages()
    }

    /// One row that overflows: its chain of pages is the same too.
    @Test(arguments: [512, 1024, 8192, 65536], [TreeKind.table, .index])
    func overflowAtEveryBorder(_ pageSize: Int, _ kind: TreeKind) throws {
        let layout = PageLayout(pageSize: pageSize)
        let most = layout.maxLocalSize(kind)
        // The size of a record is that of its text and three to six bytes more.
        for size in (most - 6...most - 2).flatMap({ [$0, $0 + 2 * layout.overflowSize] }) {
            var table = MadeTable(["TEXT"], rows: [[.integer(1), .text(Self.letters(size))]])
            table.pageSize = pageSize
            table.isWithoutRowid = kind == .index
            let pair = try TablePair(table)
            try pair.expectEqual()
            try pair.expectSamePages()
        }
    }

    /// Records of all sizes around those at which one more byte moves to another page.
    @Test(arguments: [512, 1024, 8192, 65536])
    func sizesAroundEveryBorder(_ pageSize: Int) throws {
        let layout = PageLayout(pageSize: pageSize)
        var sizes = Set<Int>()
        for kind in [TreeKind.table, .index] {
            let most = layout.maxLocalSize(kind)
            for border in [most, layout.localSize(of: most + 1, kind)] {
                for pages in pageSize > 8192 ? [0, 1] : [0, 1, 3] {
                    for offset in -9...2 {
                        sizes.insert(border + pages * layout.overflowSize + offset)
                    }
                }
            }
        }
        let rows = sizes.sorted().enumerated().map { number, size in
            [MadeValue.integer(Int64(number)), .text(Self.letters(size))]
        }
        var table = MadeTable(["TEXT"], rows: rows)
        table.pageSize = pageSize
        table.indexes = [[0]]
        try TablePair(table, leafRunSize: 20).expectEqual()
        if pageSize < 8192 { try TablePair(table, leafRunSize: 1000).expectUsable() }
    }

    private static func letters(_ count: Int) -> [UInt8] {
        let alphabet = (0..<75).map { UInt8(0x30 + $0) }
        var letters: [UInt8] = []
        while letters.count < count { letters += alphabet }
        return Array(letters[..<count])
    }

    private func expectSamePages(
        _ types: [String],
        _ rows: [[MadeValue]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let numbered = rows.enumerated().map { [MadeValue.integer(Int64($0) * 100)] + $1 }
        var table = MadeTable(types, rows: numbered)
        table.pageSize = 8192
        let pair = try TablePair(table)
        try pair.expectEqual(sourceLocation: sourceLocation)
        try pair.expectSamePages(sourceLocation: sourceLocation)
    }
}
