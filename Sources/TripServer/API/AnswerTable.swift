import TripDomain
import TripMart
import TripText

/// A list of an answer, described once: objects in JSON, rows in CSV.
struct AnswerTable {
    /// The names of the members or columns.
    let names: [StaticString]
    /// The rows, with one value per name.
    let rows: [[RowValue]]

    /// The rows as CSV.
    ///
    /// - Parameters:
    ///   - names: The columns that say where they come from, after those of their own.
    ///   - values: The values of these columns, the same in each row.
    /// - Returns: The text.
    func csv(from names: [String] = [], _ values: [RowValue] = []) -> [UInt8] {
        CSVText.text(self.names.map(\.description) + names, rows.map { $0 + values })
    }

    /// The rows as CSV, with the generation they come from.
    func csv(of generation: ServedGeneration) -> [UInt8] {
        csv(from: OriginColumns.names, OriginColumns.values(generation))
    }
}

/// The columns that say where rows come from.
enum OriginColumns {
    static let names = ["generation", "data_through", "synthetic"]

    static func values(_ generation: ServedGeneration) -> [RowValue] {
        let header = generation.header
        return [
            .number(.integer(Int64(header.number))), .text(header.dataThrough?.text),
            .truth(header.isSynthetic),
        ]
    }
}

extension JSONText {
    /// The rows of a table as an array of objects, each on one line.
    mutating func list(_ name: JSONName, _ table: AnswerTable) {
        array(name) { json in
            for row in table.rows {
                json.object(isLine: true) { json in
                    for (name, value) in zip(table.names, row) { json.value(.fixed(name), value) }
                }
            }
        }
    }
}
