import Glibc
import Testing

@testable import TripMart

/// Files to which pages cannot be added, and the state after an interrupted write.
@Suite struct PageFaultTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/file.sqlite" }
    private let rows = MadeRows(
        rows: (1...500).map { [.integer($0), .integer($0 * $0)] },
        hasRowids: true
    )
    private let table = MadeTable(["INTEGER"], rows: [])

    @Test func missingFile() {
        let error = #expect(throws: MartError.self) { try BTreeFile(path: path) }
        #expect(error?.code == .ioFailed)
        #expect(error?.description.contains(path) == true)
    }

    @Test func notOfSQLite() throws {
        try write(Array(repeating: 7, count: 4096))
        expect(.notSQLite)
        try write([])
        expect(.notSQLite)
        try write(Array("SQLite format 3\0".utf8))
        expect(.notSQLite)
    }

    @Test func truncatedFile() throws {
        _ = try table.makeEmpty(path)
        try write(TablePair.bytes(path).dropLast(512))
        expect(.notSQLite)
    }

    @Test(arguments: [[UInt8(0), 0], [1, 0], [3, 0], [255, 255]])
    func invalidPageSizes(bytes: [UInt8]) throws {
        _ = try table.makeEmpty(path)
        var file = TablePair.bytes(path)
        file.replaceSubrange(16..<18, with: bytes)
        try write(file)
        expect(.notSQLite)
        let error = #expect(throws: MartError.self) { try TreeReader(path: path) }
        #expect(error?.remedy == PageFault.notSQLite.remedy)
    }

    @Test func modesThatAreNotWritten() throws {
        for mode in ["journal_mode = WAL", "auto_vacuum = FULL", "encoding = 'UTF-16'"] {
            unlink(path)
            let database = try MadeDatabase(path, pageSize: 512)
            try database.run("PRAGMA \(mode)")
            try database.run("CREATE TABLE t(id INTEGER PRIMARY KEY, c0)")
            if mode.hasPrefix("journal") { try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }
            expect(.unsupported)
        }
    }

    @Test func rootsThatAreNotEmptyTreesOfTheirKind() throws {
        var indexed = table
        indexed.indexes = [[0]]
        let roots = try indexed.makeEmpty(path)
        let file = try BTreeFile(path: path)
        for root in [0, 1, -1, 99, roots[1]] {
            let error = #expect(throws: MartError.self) {
                try file.fill(.table, root: root, rows, threads: 1)
            }
            #expect(error?.remedy == PageFault.notEmpty.remedy)
        }
        #expect(throws: MartError.self) { try file.fill(.index, root: roots[0], rows, threads: 1) }
        try file.fill(.table, root: roots[0], rows, threads: 1)
        #expect(throws: MartError.self) { try file.fill(.table, root: roots[0], rows, threads: 1) }
    }

    /// Before it is finished, the file is the empty one that SQLite created.
    @Test func unfinishedFileIsEmpty() throws {
        let root = try table.makeEmpty(path)[0]
        try BTreeFile(path: path).fill(.table, root: root, rows, threads: 2, leafRunSize: 50)
        let database = try MadeDatabase(path)
        try database.expectSound()
        #expect(try database.rows("SELECT * FROM t") == [])
    }

    /// A reader that has the file open notices that it changed.
    @Test func changeIsCounted() throws {
        let root = try table.makeEmpty(path)[0]
        let reader = try MadeDatabase(path)
        #expect(try reader.integer("SELECT count(*) FROM t") == 0)
        let file = try BTreeFile(path: path)
        try file.fill(.table, root: root, rows, threads: 2)
        try file.finish()
        #expect(try reader.integer("SELECT count(*) FROM t") == 500)
        try reader.expectSound()
    }

    /// The file is extended without being filled; all its pages except the first are holes.
    @Test func noPageNumbersLeft() throws {
        let root = try table.makeEmpty(path)[0]
        let lastPage = PageLayout.maxPageNumber - 2
        var header = Array(TablePair.bytes(path).prefix(DatabaseHeader.size))
        for index in 0..<4 {
            header[28 + index] = UInt8(truncatingIfNeeded: lastPage >> (24 - 8 * index))
        }
        try PageFile(path: path).write(header, at: 0)
        #expect(truncate(path, lastPage * 512) == 0)
        let file = try BTreeFile(path: path)
        let error = #expect(throws: MartError.self) {
            try file.fill(.table, root: root, rows, threads: 1, leafRunSize: 50)
        }
        #expect(error?.remedy == PageFault.tooLarge.remedy)
        unlink(path)
    }

    /// A device that is always full simulates a full disk.
    @Test func fullDisk() throws {
        let file = try PageFile(path: "/dev/full")
        let error = #expect(throws: MartError.self) { try file.write([1, 2, 3], at: 0) }
        #expect(error?.code == .diskFull)
        #expect(error?.remedy.isEmpty == false)
    }

    /// A file in memory that cannot grow simulates one to which no leaf run can be added.
    @Test(arguments: [1, 3])
    func aLeafRunThatCannotBeWritten(threads: Int) throws {
        let root = try table.makeEmpty(path)[0]
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let symbol = try #require(dlsym(nil, "memfd_create"))
        // The C library has this declaration, which Swift does not import. 2: the file may be
        // sealed.
        let descriptor = unsafeBitCast(symbol, to: Create.self)("triptych", 2)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sealed = "/proc/self/fd/\(descriptor)"
        try PageFile(path: sealed).write(TablePair.bytes(path), at: 0)
        // F_ADD_SEALS with F_SEAL_GROW, macros that Swift does not import.
        #expect(fcntl(descriptor, 1033, 4) == 0)
        let file = try BTreeFile(path: sealed)
        let error = #expect(throws: MartError.self) {
            try file.fill(.table, root: root, rows, threads: threads, leafRunSize: 10)
        }
        #expect(error?.code == .ioFailed)
        #expect(error?.remedy == PageFault.ioFailed.remedy)
    }

    private func expect(
        _ fault: PageFault,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: MartError.self, sourceLocation: sourceLocation) {
            try BTreeFile(path: path)
        }
        #expect(error?.remedy == fault.remedy, sourceLocation: sourceLocation)
    }

    private func write(_ bytes: some Sequence<UInt8>) throws {
        let stream = try #require(fopen(path, "w"))
        let bytes = Array(bytes)
        #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
        fclose(stream)
    }
}
