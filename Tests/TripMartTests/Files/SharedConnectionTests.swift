import Testing

@testable import TripMart

@Suite struct SharedConnectionTests {
    /// A file with one row, open as the list of runs is opened.
    private static func shared() throws -> (TemporaryFolder, SharedConnection) {
        let temporary = TemporaryFolder()
        let connection = try RawConnection(path: temporary.path + "/file", mode: .changing)
        try connection.execute("CREATE TABLE t(number INTEGER PRIMARY KEY, value)")
        try connection.execute("INSERT INTO t VALUES(1, 'text')")
        return (temporary, SharedConnection(connection))
    }

    @Test func everyKindOfValueComesBackAsItWent() throws {
        let (temporary, shared) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        let values: [any StoredArgument] = [Int64.min, 7, Int32(-1), "é\0x", String?.none]
        for value in values {
            try shared.execute("UPDATE t SET value = ?", [value])
            let stored = try shared.rows("SELECT value FROM t") { $0.values }
            #expect(stored.first?.map(\.value) == [value.stored])
        }
    }

    @Test func aValueOfAnotherTypeIsAFaultOfTheFile() throws {
        let (temporary, shared) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        let sql = "SELECT * FROM t WHERE number = ?"
        expectFailure(.damaged) { try shared.rows(sql, [1]) { try $0["value"] as Int } }
        expectFailure(.damaged) { try shared.rows(sql, [1]) { try $0["other"] as Int } }
        expectFailure(.damaged) { try shared.rows(sql, [1]) { try $0[2] as Int } }
        // The statement can run again after an error in the middle of its rows.
        #expect(try shared.rows(sql, [1]) { try $0["value"] as String } == ["text"])
        #expect(try shared.rows(sql, [2]) { try $0["value"] as String } == [])
    }

    @Test func aTableIsThereOrNot() throws {
        let (temporary, shared) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        #expect(try shared.has(table: "t"))
        #expect(try !shared.has(table: "T' OR 1 --"))
        #expect(try !shared.has(table: "value"))
    }

    @Test func anInsertionMayReturnItsNumber() throws {
        let (temporary, shared) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        let sql = "INSERT INTO t(value) VALUES(?) RETURNING number"
        #expect(try shared.rows(sql, ["a"]) { try $0[0] as Int } == [2])
        #expect(try shared.rows(sql, [String?.none]) { try $0[0] as Int } == [3])
        #expect(try shared.rows("SELECT count(*) FROM t") { try $0[0] as Int } == [3])
    }

    @Test func aColumnThatIsMissingIsNoText() throws {
        let (temporary, _) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        let file = try RawConnection(path: temporary.path + "/file", mode: .restricted)
        expectFailure(.ioFailed) { _ = try file.prepare("SELECT \"other\" FROM t") }
        _ = try file.prepare("SELECT \"value\" FROM t")
    }

    @Test func manyThreadsMayAskAtOnce() async throws {
        let (temporary, shared) = try Self.shared()
        defer { withExtendedLifetime(temporary) {} }
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<64 {
                group.addTask { try shared.rows("SELECT value FROM t") { try $0[0] } }
            }
            for try await values in group { #expect(values == ["text"]) }
        }
    }
}
