import CSQLite
import Synchronization

/// A connection that any thread may ask, one at a time, for a row or a page of rows.
///
/// The same few statements are asked again and again: each is prepared once and kept.
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

    /// What is made of each row of a query, one of which is held at a time.
    ///
    /// - Parameters:
    ///   - sql: The query; an insertion or change where it is to give no rows.
    ///   - arguments: What stands for its parameters, in order.
    ///   - make: Makes a value of a row; asks this connection nothing.
    /// - Returns: The values, in order of the rows.
    /// - Throws: ``MartError``; with code `damaged` where a value is not of the type that is asked
    ///   for.
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

    /// Runs a statement that gives no rows.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - arguments: What stands for its parameters, in order.
    /// - Throws: ``MartError`` of the file.
    func execute(_ sql: String, _ arguments: [any StoredArgument]) throws(MartError) {
        try rows(sql, arguments) { _ in }
    }
}
