import CSQLite
import Synchronization

/// A connection for queries of a row or a page of rows, which any thread may call; one query runs
/// at a time.
///
/// The same few statements run again and again: each is prepared once and kept.
final class SharedConnection: Sendable {
    private struct State {
        let connection: RawConnection
        var statements: [String: RawStatement] = [:]

        mutating func statement(_ sql: String) throws(MartError) -> RawStatement {
            if let known = statements[sql] { return known }
            let made = try connection.prepare(sql)
            statements[sql] = made
            return made
        }
    }

    private let state: Mutex<State>

    /// Takes over a connection.
    init(_ connection: sending RawConnection) {
        state = Mutex(State(connection: connection))
    }

    /// The results of a function of each row of a query; one row is in memory at a time.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - arguments: Its parameters, in order.
    ///   - make: Returns a value for a row; must not use this connection.
    /// - Returns: The values, in order of the rows.
    /// - Throws: ``MartError``; with code `damaged` where a value is not of the requested type.
    @discardableResult
    func rows<Value: Sendable>(
        _ sql: String,
        _ arguments: [any StoredArgument] = [],
        _ make: @Sendable (StoredRow) throws -> Value
    ) throws(MartError) -> [Value] {
        try state.withLock { state throws(MartError) in
            let statement = try state.statement(sql)
            defer { statement.reset() }
            statement.bind(arguments)
            do {
                var values: [Value] = []
                while try statement.step() { values.append(try make(StoredRow(statement))) }
                return values
            } catch let error as MartError {
                throw error
            } catch {
                throw MartError(sqlite: SQLITE_CORRUPT, file: statement.path)
            }
        }
    }

    /// Whether the file has a table; one of an older version lacks some.
    func has(table: String) throws(MartError) -> Bool {
        try state.withLock { state throws(MartError) in try state.connection.has(table: table) }
    }

    /// Runs a statement that returns no rows.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - arguments: Its parameters, in order.
    /// - Throws: ``MartError`` of the file.
    func execute(_ sql: String, _ arguments: [any StoredArgument]) throws(MartError) {
        try rows(sql, arguments) { _ in }
    }
}
