import Testing

@testable import TripMart

/// Compares the rows of a tree from ``TreeReader`` with those from SQLite.
struct ReadTree {
    let table: MadeTable
    let path: String

    /// Expects that the table and its indexes are read as SQLite reads them.
    func expectEqual(to database: MadeDatabase, _ sourceLocation: SourceLocation) throws {
        let columns = table.types.indices.map { "c\($0)" }
        let rows = try database.rows(
            "SELECT \((["id"] + columns).joined(separator: ",")) FROM t NOT INDEXED ORDER BY id"
        )
        let kind: TreeKind = table.isWithoutRowid ? .index : .table
        try expect(rows, root: database.root("t"), kind, sourceLocation)
        guard !table.isWithoutRowid else { return }
        for (number, columns) in table.indexes.enumerated() {
            let list = table.list(columns)
            let entries = try database.rows(
                "SELECT \(list), id FROM t NOT INDEXED ORDER BY \(list), id"
            )
            try expect(entries, root: database.root("i\(number)"), .index, sourceLocation)
        }
    }

    private func expect(
        _ rows: [[MadeValue]],
        root: Int,
        _ kind: TreeKind,
        _ sourceLocation: SourceLocation
    ) throws {
        let reader = try TreeReader(path: path)
        let outline = try reader.outline(root: root, kind)
        var differing = 0
        var found = 0
        let cut = outline.leaves.count / 2
        for leaves in [0..<cut, cut..<outline.leaves.count] {
            var fields = RecordFields(count: rows.first?.count ?? 0)
            try reader.each(outline, leaves: leaves, kind) { rowid, record in
                let isRead = fields.open(record)
                let row = found < rows.count ? rows[found] : []
                found += 1
                guard isRead, kind == .index || row.first == .integer(rowid) else {
                    differing += 1
                    return
                }
                // A table's rowid is before the record, which has NULL instead.
                for index in row.indices.dropFirst(kind == .table ? 1 : 0)
                where !Self.isEqual(fields, index, row[index]) {
                    differing += 1
                }
            }
        }
        #expect(found == rows.count, sourceLocation: sourceLocation)
        #expect(differing == 0, sourceLocation: sourceLocation)
    }

    /// Doubles and blobs have no reader, and are neither a text nor an integer; a whole number in a
    /// column of doubles is stored as an integer.
    private static func isEqual(
        _ fields: borrowing RecordFields,
        _ column: Int,
        _ value: MadeValue
    ) -> Bool {
        var integer: Int64? = 0
        switch value {
        case .null: return fields.integer(column, &integer) && integer == nil
        case .integer(let value): return fields.integer(column, &integer) && integer == value
        case .text(let bytes): return fields.text(column).map { Array($0) } == bytes
        case .realBits(let bits):
            return fields.text(column) == nil
                && (!fields.integer(column, &integer)
                    || Double(integer ?? 0) == Double(bitPattern: bits))
        case .blob: return fields.text(column) == nil && !fields.integer(column, &integer)
        }
    }
}
