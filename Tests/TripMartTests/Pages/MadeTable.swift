import TestSupport
import Testing

@testable import TripMart

/// A generated table with its indexes, written once by SQLite and once as pages.
struct MadeTable: Sendable {
    var pageSize = 512
    var reservedSize = 0
    /// The columns after the rowid.
    var types: [String] = []
    /// The rows, the rowid first.
    var rows: [[MadeValue]] = []
    /// The columns of each index; an index is named `i` and its number.
    var indexes: [[Int]] = []
    var isWithoutRowid = false

    /// Generates rows.
    ///
    /// - Parameters:
    ///   - types: The columns' types; `CODE` is an INTEGER of few values.
    ///   - count: The number of rows.
    ///   - size: The longest text.
    ///   - step: The greatest distance of rowids.
    ///   - dice: The random number generator.
    init(
        _ types: [String],
        _ count: Int,
        size: Int = 40,
        step: Int64 = 1,
        _ dice: inout SeededDice
    ) {
        self.types = types
        var rowid = step == 1 ? 0 : -step * Int64(count) / 4
        rows = (0..<count).map { _ in
            rowid += Int64.random(in: 1...step, using: &dice)
            return [.integer(rowid)]
                + types.map { MadeValue.random($0, size: size, &dice) }
        }
    }

    init(_ types: [String], rows: [[MadeValue]]) {
        self.types = types
        self.rows = rows
    }

    var tableSQL: String {
        let columns = types.enumerated().map { index, type in
            "c\(index) \(type == "CODE" ? "INTEGER" : type)"
        }
        return "CREATE TABLE t(id INTEGER PRIMARY KEY"
            + columns.map { ", " + $0 }.joined() + ")" + (isWithoutRowid ? " WITHOUT ROWID" : "")
    }

    var indexSQL: String {
        indexes.enumerated().map { number, columns in
            "CREATE INDEX i\(number) ON t(\(list(columns)));"
        }.joined()
    }

    func list(_ columns: [Int]) -> String {
        columns.map { "c\($0)" }.joined(separator: ",")
    }

    /// Writes the table by INSERT and CREATE INDEX.
    func writeByInsert(_ path: String) throws {
        let database = try MadeDatabase(path, pageSize: pageSize)
        if reservedSize > 0 { database.reserve(reservedSize) }
        try database.run(tableSQL)
        try database.insert(rows, into: "t")
        try database.run(indexSQL)
    }

    /// Creates the empty table and returns the root pages: the table's, then those of the indexes.
    func makeEmpty(_ path: String) throws -> [Int] {
        let database = try MadeDatabase(path, pageSize: pageSize)
        if reservedSize > 0 { database.reserve(reservedSize) }
        try database.run(tableSQL + ";" + indexSQL)
        return try (["t"] + indexes.indices.map { "i\($0)" }).map { try database.root($0) }
    }

    /// Writes the table as pages, with the indexes in the order of another file by SQLite.
    func writeAsPages(
        _ path: String,
        reference: String,
        threads: Int = 2,
        leafRunSize: Int = 64,
        prepare: (String) throws -> Void = { _ in }
    ) throws {
        let roots = try makeEmpty(path)
        try prepare(path)
        let orders = try orders(reference)
        let file = try BTreeFile(path: path)
        if isWithoutRowid {
            let source = MadeRows(rows: rows, hasRowids: false)
            try file.fill(
                .index,
                root: roots[0],
                source,
                threads: threads,
                leafRunSize: leafRunSize
            )
        } else {
            let source = MadeRows(rows: rows, hasRowids: true)
            try file.fill(
                .table,
                root: roots[0],
                source,
                threads: threads,
                leafRunSize: leafRunSize
            )
        }
        for (root, entries) in zip(roots.dropFirst(), orders) {
            let source = MadeRows(rows: entries, hasRowids: false)
            try file.fill(.index, root: root, source, threads: threads, leafRunSize: leafRunSize)
        }
        try file.finish()
    }

    /// The entries of each index in the order that SQLite sorts the rows into.
    private func orders(_ reference: String) throws -> [[[MadeValue]]] {
        let database = try MadeDatabase(reference)
        return try indexes.map { columns in
            try database.rows(
                "SELECT \(list(columns)), id FROM t NOT INDEXED ORDER BY \(list(columns)), id"
            )
        }
    }
}

/// A source of given rows.
struct MadeRows: LeafSource {
    let rows: [[MadeValue]]
    /// Whether the first value of a row is its rowid.
    let hasRowids: Bool

    var count: Int { rows.count }
    var columnCount: Int { rows.first?.count ?? 0 }

    func encode(_ range: Range<Int>, into leafRun: inout LeafRun) {
        for row in rows[range] {
            var values = row
            var rowid: Int64?
            if hasRowids, case .integer(let value) = row[0] {
                rowid = value
                values[0] = .null
            }
            for value in values {
                switch value {
                case .null: leafRun.record.appendNull()
                case .integer(let value): leafRun.record.append(integer: value)
                case .realBits(let bits): leafRun.record.append(real: Double(bitPattern: bits))
                case .text(let bytes): bytes.withUnsafeBytes { leafRun.record.append(text: $0) }
                case .blob(let bytes): bytes.withUnsafeBytes { leafRun.record.append(blob: $0) }
                }
            }
            if let rowid { leafRun.endRow(rowid: rowid) } else { leafRun.endEntry() }
        }
    }
}

/// One value of a generated table; doubles are compared by their bits.
enum MadeValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case realBits(UInt64)
    case text([UInt8])
    case blob([UInt8])

    static func real(_ value: Double) -> MadeValue { .realBits(value.bitPattern) }

    /// Integers on both sides of every border between serial types.
    static let borderIntegers: [Int64] = {
        let borders = [7, 15, 23, 31, 47, 63].flatMap { bits -> [Int64] in
            let top: Int64 = bits == 63 ? .max : (1 << Int64(bits)) - 1
            return [top - 1, top, top &+ 1, -top, -top - 1, bits == 63 ? 0 : -top - 2]
        }
        return borders + [-2, -1, 0, 1, 2, 255, 256]
    }()

    /// Doubles that are stored in different ways.
    static let borderReals: [Double] = [
        0, -0.0, 1, -1, 2, 0.5, -0.25, 127, 128, 32768, 0x1p31, 0x1p47 - 1, 0x1p47, -0x1p47,
        -0x1p47 - 1, 0x1p53, 0x1p62, 0x1p63, -0x1p63, 1e300, -1e300, .infinity, -.infinity, .nan,
        .leastNonzeroMagnitude, .pi,
    ]

    /// A random value of a column of some type, so that every way of storing it occurs.
    static func random(_ type: String, size: Int, _ dice: inout SeededDice) -> MadeValue {
        if dice.oneIn(8) { return .null }
        switch type {
        case "REAL":
            if dice.oneIn(2) { return .real(dice.pick(borderReals)) }
            return .real(Double(Int64.random(in: -1000...1000, using: &dice)) / 8)
        case "TEXT":
            return .text(bytes(size, 0x20...0x7E, &dice))
        case "BLOB":
            return .blob(bytes(size, 0...255, &dice))
        case "CODE":
            return .integer(Int64.random(in: 0...3, using: &dice))
        default:
            if dice.oneIn(3) { return .integer(dice.pick(borderIntegers)) }
            let value = Int64(bitPattern: dice.next())
            return .integer(value >> Int64.random(in: 0...63, using: &dice))
        }
    }

    private static func bytes(
        _ size: Int,
        _ range: ClosedRange<UInt8>,
        _ dice: inout SeededDice
    ) -> [UInt8] {
        dice.bytes(dice.oneIn(6) ? 0 : dice.below(size + 1), in: range)
    }
}
