@testable import TripMart

/// A file's tables as text, in the order in which `verify` compares them, without the values that
/// differ between two runs over the same input: sealed values and the marks of the run.
enum Dump {
    static func text(of path: String) throws -> [String] {
        let tables = try BuiltMart.rows(
            path,
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
        )
        var lines: [String] = []
        for table in tables.compactMap({ $0[0] }) {
            let columns = try BuiltMart.rows(path, "SELECT name FROM pragma_table_info('\(table)')")
                .compactMap { $0[0] }
                .filter { !["sealed", "sealed_text"].contains($0) }
            let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let order = (1...columns.count).map(String.init).joined(separator: ", ")
            for row in try BuiltMart.rows(
                path,
                "SELECT \(list) FROM \"\(table)\" ORDER BY \(order)"
            ) {
                lines.append(
                    table + "|" + row.map { $0 ?? "NULL" }.joined(separator: "|")
                )
            }
        }
        return lines
    }
}
