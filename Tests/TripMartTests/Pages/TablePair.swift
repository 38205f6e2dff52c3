import Glibc
import Testing

@testable import TripMart

/// A generated table in two files, one written by SQLite and one as pages.
struct TablePair {
    let table: MadeTable
    let inserted: String
    let paged: String
    private let folder = TemporaryFolder()

    init(_ table: MadeTable, threads: Int = 2, leafRunSize: Int = 64) throws {
        self.table = table
        inserted = folder.path + "/inserted.sqlite"
        paged = folder.path + "/paged.sqlite"
        try table.writeByInsert(inserted)
        try table.writeAsPages(
            paged,
            reference: inserted,
            threads: threads,
            leafRunSize: leafRunSize
        )
    }

    /// Expects that SQLite finds no fault and that all queries have the same results.
    func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let one = try MadeDatabase(inserted)
        let other = try MadeDatabase(paged)
        try other.expectSound(sourceLocation: sourceLocation)
        try compare(one, other, sourceLocation)
        if table.pageSize == 512 {
            #expect(try leavesWithRemains() == [], sourceLocation: sourceLocation)
        }
    }

    /// The leaves after those of SQLite whose unused bytes are not all zero.
    ///
    /// Overflow pages begin with a page number, whose first byte is zero in a small file.
    private func leavesWithRemains() throws -> [Int] {
        let empty = folder.path + "/empty.sqlite"
        unlink(empty)
        _ = try table.makeEmpty(empty)
        let bytes = pagedBytes
        return stride(from: Self.bytes(empty).count, to: bytes.count, by: table.pageSize).filter {
            page in
            guard bytes[page] == 10 || bytes[page] == 13 else { return false }
            let cellCount = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
            let cellsStart = Int(bytes[page + 5]) << 8 | Int(bytes[page + 6])
            return bytes[page + 8 + 2 * cellCount..<page + cellsStart].contains { $0 != 0 }
        }
    }

    /// Expects that SQLite can use the file: delete, change, insert, and rebuild it.
    func expectUsable(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let one = try MadeDatabase(inserted)
        let other = try MadeDatabase(paged)
        let column = table.types.isEmpty ? "id" : "c0"
        let steps = [
            "DELETE FROM t WHERE id % 3 = 0",
            "UPDATE t SET \(column) = 'changed' || id WHERE id % 5 = 1 AND '\(column)' <> 'id'",
            "INSERT INTO t SELECT id + 1000000, \(table.list(Array(table.types.indices))) FROM t "
                + "WHERE id % 2 = 1 AND id < 1000000",
            "DELETE FROM t WHERE id % 7 < 5",
            "VACUUM",
            "REINDEX",
        ]
        for step in steps where !(table.types.isEmpty && step.hasPrefix("INSERT")) {
            try one.run(step)
            try other.run(step)
            try other.expectSound(sourceLocation: sourceLocation)
            try compare(one, other, sourceLocation)
        }
    }

    private func compare(
        _ one: MadeDatabase,
        _ other: MadeDatabase,
        _ sourceLocation: SourceLocation
    ) throws {
        try ReadTree(table: table, path: inserted).expectEqual(to: one, sourceLocation)
        try ReadTree(table: table, path: paged).expectEqual(to: other, sourceLocation)
        var queries = [
            "SELECT * FROM t NOT INDEXED", "SELECT * FROM t NOT INDEXED ORDER BY id DESC",
            "SELECT count(*), min(id), max(id) FROM t",
        ]
        for (number, columns) in table.indexes.enumerated() {
            let list = table.list(columns)
            queries += [
                // Read from the index alone, and with the row of every entry looked up.
                "SELECT \(list), id FROM t INDEXED BY i\(number) ORDER BY \(list), id",
                "SELECT * FROM t INDEXED BY i\(number) ORDER BY \(list), id",
                "SELECT count(*) FROM t AS a, t AS b INDEXED BY i\(number) "
                    + "WHERE a.id % 16 = 0 AND b.c\(columns[0]) = a.c\(columns[0])",
            ]
        }
        for query in queries {
            let expected = try one.rows(query)
            let found = try other.rows(query)
            // Not compared within the expectation, which would work out every difference.
            let areSame = found == expected
            #expect(areSame, "\(query)", sourceLocation: sourceLocation)
            #expect(
                try other.rows("EXPLAIN QUERY PLAN " + query)
                    == one.rows("EXPLAIN QUERY PLAN " + query),
                sourceLocation: sourceLocation
            )
        }
    }

    /// Expects all pages except the first, which has the change counter, to have the same bytes.
    func expectSamePages(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let one = Self.bytes(inserted)
        let other = Self.bytes(paged)
        #expect(one.count == other.count, sourceLocation: sourceLocation)
        let pageCount = min(one.count, other.count) / table.pageSize
        for page in 1..<pageCount {
            let range = page * table.pageSize..<(page + 1) * table.pageSize
            // Not compared within the expectation, which would work out every difference.
            let areSame = one[range] == other[range]
            #expect(areSame, "page \(page + 1)", sourceLocation: sourceLocation)
        }
    }

    /// The bytes of the file written as pages.
    var pagedBytes: [UInt8] { Self.bytes(paged) }

    /// All bytes of a file.
    static func bytes(_ path: String) -> [UInt8] {
        guard let stream = fopen(path, "r") else { return [] }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&block, 1, block.count, stream)
            if count == 0 { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }
}
