import TripCrypto
import TripDomain

/// Computes digests of the rows of a numbered table from the pages of a file.
///
/// Equal digests mean equal rows; computing them is several times as fast as stepping through the
/// rows with SQLite.
struct RowDigests {
    /// The digest of some rows, and their number.
    struct Digest: Hashable {
        let rows: Int64
        let bytes: [UInt8]
    }

    private let tree: TreeReader
    private let outline: TreeReader.Outline

    /// Finds the table's pages.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - table: The table.
    /// - Throws: ``MartError`` of the file.
    init(_ path: String, table: String) throws(MartError) {
        let statement = try RawConnection(path: path, mode: .immutable)
            .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
        statement.bind(.text(table), 1)
        let root = try statement.step() ? Int(statement.integer(0)) : 0
        tree = try TreeReader(path: path)
        outline = try tree.outline(root: root, .table)
    }

    /// Reads some rows.
    ///
    /// - Parameter rows: Their numbers; not all need to exist.
    /// - Returns: The digest of those that exist.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*n*) in the bytes of the rows.
    func digest(_ rows: ClosedRange<Int64>) throws(MartError) -> Digest {
        var hash = SHA256()
        var count: Int64 = 0
        let leaves = tree.leaves(of: rows, in: outline)
        try tree.each(outline, leaves: leaves, .table) { number, record throws(MartError) in
            guard rows.contains(number) else { return }
            count += 1
            // The size separates records: bytes cannot move from the end of one to the next.
            withUnsafeBytes(of: (number, record.count)) { hash.update($0) }
            hash.update(record)
        }
        return Digest(rows: count, bytes: hash.finish())
    }
}
