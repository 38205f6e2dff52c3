import TestSupport
import Testing

@testable import TripMart

/// Damage to pages; ``TablePair`` compares the reading of undamaged ones with SQLite.
@Suite struct TreeReaderTests {
    private struct Reading {
        let folder = TemporaryFolder()
        let path: String
        let roots: [Int]
        let bytes: [UInt8]

        init() throws {
            path = folder.path + "/made.sqlite"
            var dice = SeededDice(seed: 21)
            var table = MadeTable(["TEXT", "INTEGER", "CODE"], 150, size: 900, &dice)
            table.indexes = [[0], [2, 1]]
            try table.writeByInsert(path)
            let database = try MadeDatabase(path)
            roots = try ["t", "i0", "i1"].map { try database.root($0) }
            bytes = try FileSystem.readAll(path)
        }

        /// Reads all of the three trees, and returns the number of records that could be opened.
        func read(_ path: String) throws -> Int {
            let reader = try TreeReader(path: path)
            var count = 0
            for (root, kind) in zip(roots, [TreeKind.table, .index, .index]) {
                let outline = try reader.outline(root: root, kind)
                var fields = RecordFields(count: kind == .table ? 4 : 2)
                try reader.each(outline, leaves: outline.leaves.indices, kind) { _, record in
                    guard fields.open(record) else { return }
                    var value: Int64?
                    for column in 0..<(kind == .table ? 4 : 2) {
                        count += fields.text(column)?.reduce(0) { $0 | Int($1 & 1) } ?? 0
                        _ = fields.integer(column, &value)
                    }
                    count += 1
                }
            }
            return count
        }
    }

    /// Any byte may be damaged: the reader ends, with an error or without, and stays within the
    /// file.
    @Test func noDamageMakesTheReaderLeaveTheFile() throws {
        let reading = try Reading()
        let damaged = reading.folder.path + "/damaged.sqlite"
        var dice = SeededDice(seed: 22)
        var refused = 0
        for _ in 0..<600 {
            var bytes = reading.bytes
            for _ in 0..<(1 + Int(dice.next() % 3)) {
                // Headers of pages and their first cell pointers are damaged more often than by
                // chance.
                let page = Int(dice.next() % UInt64(bytes.count / 512))
                let range: UInt64 = dice.next() % 2 == 0 ? 16 : 512
                bytes[page * 512 + Int(dice.next() % range)] = UInt8(
                    truncatingIfNeeded: dice.next()
                )
            }
            try FileSystem.remove(damaged)
            try FileSystem.writeNew(bytes, to: damaged, mode: 0o600)
            do {
                _ = try reading.read(damaged)
            } catch let error as MartError {
                #expect(error.remedy != PageFault.ioFailed.remedy)
                refused += 1
            }
        }
        #expect(refused > 50)
    }

    @Test func circularTreeEnds() throws {
        let reading = try Reading()
        let root = (reading.roots[0] - 1) * 512
        try #require(reading.bytes[root] == 5)
        var bytes = reading.bytes
        // The right-most child is the root itself.
        for (index, shift) in [24, 16, 8, 0].enumerated() {
            bytes[root + 8 + index] = UInt8(truncatingIfNeeded: reading.roots[0] >> shift)
        }
        let damaged = reading.folder.path + "/damaged.sqlite"
        try FileSystem.writeNew(bytes, to: damaged, mode: 0o600)
        #expect(throws: MartError.self) { _ = try reading.read(damaged) }
    }

    @Test func invalidRootsAreRefused() throws {
        let reading = try Reading()
        let reader = try TreeReader(path: reading.path)
        for root in [0, 1 << 30, -1, .max] {
            #expect(throws: MartError.self) { _ = try reader.outline(root: root, .table) }
        }
        // The first page is the root of the schema's table.
        #expect(throws: MartError.self) { _ = try reader.outline(root: 1, .index) }
    }
}
