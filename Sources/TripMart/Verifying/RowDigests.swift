import TripCrypto
import TripDomain

/// The rows of a numbered table as they lie in the pages of a file, in short.
///
/// Equal digests mean equal rows; they are made several times as fast as SQLite steps through rows.
struct RowDigests {
    /// What some rows come to.
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
        do throws(PageError) {
            tree = try TreeReader(path: path)
            outline = try tree.outline(root: root, .table)
        } catch {
            throw MartError(error)
        }
    }

    /// Reads some rows.
    ///
    /// - Parameter rows: Their numbers; not all need to be there.
    /// - Returns: What those that are there come to.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*n*) in the bytes of the rows.
    func digest(_ rows: ClosedRange<Int64>) throws(MartError) -> Digest {
        var hash = SHA256()
        var count: Int64 = 0
        do throws(PageError) {
            let leaves = tree.leaves(of: rows, in: outline)
            try tree.each(outline, leaves: leaves, .table) { number, record throws(PageError) in
                guard rows.contains(number) else { return }
                count += 1
                // The size keeps the end of a record from passing for the beginning of the next.
                withUnsafeBytes(of: (number, record.count)) { hash.update($0) }
                hash.update(record)
            }
        } catch {
            throw MartError(error)
        }
        return Digest(rows: count, bytes: hash.finish())
    }
}
