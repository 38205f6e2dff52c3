import TestSupport
import Testing
import TripDomain

@testable import TripMart

/// Compares trees that are copied from one file into another with a dump by SQLite.
@Suite struct StoredTreeTests {
    /// Copies a table and its indexes, of any shape, and compares both files.
    private static func expectCopied(
        _ table: MadeTable,
        threads: Int = 2,
        leafRunSize: Int = 50
    ) throws {
        let folder = TemporaryFolder()
        let (source, target) = (folder.path + "/source.sqlite", folder.path + "/target.sqlite")
        try table.writeByInsert(source)
        let old = try MadeDatabase(source)
        let roots = try table.makeEmpty(target)
        let tree = try TreeReader(path: source)
        let file = try BTreeFile(path: target)
        for (name, root) in zip(["t"] + table.indexes.indices.map { "i\($0)" }, roots) {
            let kind: TreeKind = name == "t" && !table.isWithoutRowid ? .table : .index
            let columns =
                name == "t"
                ? table.types : table.indexes[Int(name.dropFirst()) ?? 0].map { "c\($0)" }
            let stored = try StoredTree(
                tree,
                root: try old.root(name),
                kind,
                columnCount: columns.count + 1,
                threads: threads
            )
            #expect(stored.count == table.rows.count)
            switch kind {
            case .table:
                try file.fill(
                    .table,
                    root: root,
                    stored,
                    threads: threads,
                    leafRunSize: leafRunSize
                )
            case .index:
                try file.fill(
                    .index,
                    root: root,
                    stored,
                    threads: threads,
                    leafRunSize: leafRunSize
                )
            }
        }
        try file.finish()
        let new = try MadeDatabase(target)
        try new.expectSound()
        #expect(try new.rows("SELECT * FROM t") == old.rows("SELECT * FROM t"))
    }

    @Test(arguments: [UInt64(1), 2, 3], [512, 8192])
    func trees(seed: UInt64, pageSize: Int) throws {
        var dice = SeededDice(seed: seed)
        var table = MadeTable(["TEXT", "INTEGER", "BLOB", "REAL"], 400, size: 60, step: 3, &dice)
        table.pageSize = pageSize
        table.indexes = [[0], [1, 0]]
        try Self.expectCopied(table)
    }

    /// Records that continue in overflow pages, in leaves and between them.
    @Test(arguments: [1, 2, 8])
    func wideRecords(threads: Int) throws {
        var dice = SeededDice(seed: 4)
        var table = MadeTable(["TEXT", "TEXT", "INTEGER"], 150, size: 3000, &dice)
        table.indexes = [[0, 1]]
        try Self.expectCopied(table, threads: threads, leafRunSize: 7)
    }

    @Test(arguments: [0, 1, 2, 3])
    func fewRows(count: Int) throws {
        var dice = SeededDice(seed: 5)
        var table = MadeTable(["TEXT"], count, &dice)
        table.indexes = [[0]]
        try Self.expectCopied(table)
    }

    @Test func withoutRowid() throws {
        var dice = SeededDice(seed: 6)
        var table = MadeTable(["TEXT", "INTEGER"], 300, &dice)
        table.isWithoutRowid = true
        try Self.expectCopied(table)
    }

    /// A source that fails in the middle ends the tree with its error.
    @Test(arguments: [1, 2, 8])
    func aSourceThatFailsIsAnError(threads: Int) throws {
        struct Failing: LeafSource {
            let count = 300
            let columnCount = 2

            func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
                for row in rows {
                    guard row < 130 else { throw MartError.damagedRow("elsewhere.sqlite") }
                    leafRun.record.appendNull()
                    leafRun.record.append(integer: 7)
                    leafRun.endRow(rowid: Int64(row + 1))
                }
            }
        }
        let folder = TemporaryFolder()
        let path = folder.path + "/target.sqlite"
        var dice = SeededDice(seed: 7)
        let roots = try MadeTable(["INTEGER"], 0, &dice).makeEmpty(path)
        let file = try BTreeFile(path: path)
        let error = #expect(throws: MartError.self) {
            try file.fill(.table, root: roots[0], Failing(), threads: threads, leafRunSize: 50)
        }
        #expect(error?.position?.file == "elsewhere.sqlite")
    }
}
