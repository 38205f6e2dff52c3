internal import Glibc
public import TripDomain

/// The Parquet files of a place, for programs that read them.
extension TripLocation {
    /// The folder on this machine; nil where the place is anywhere else.
    ///
    /// A URI `file:` writes blanks and other characters as `%20`; a path is as it is.
    public var folder: String? {
        guard uri.hasPrefix("file:") else {
            return uri.firstRange(of: "://") == nil ? uri : nil
        }
        var path = uri.dropFirst("file:".count)
        if path.hasPrefix("//") {
            // `file://host/path`: a host that is named is this one.
            path = path.dropFirst(2).drop { $0 != "/" }
        }
        return Self.decoded(path.utf8)
    }

    /// Whether the place is on this machine, and there is no such folder.
    public var isGone: Bool {
        guard let folder else { return false }
        var status = stat()
        return stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR
    }

    /// The FROM of a query for DuckDB.
    ///
    /// The folders of months have names with `=`, and folders above may have them as well. All
    /// columns are in the files: DuckDB would take those of the folders in their place.
    public var duckdbTable: String {
        var folder = self.folder ?? uri
        while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
        let path = (folder == "/" ? "" : Self.pattern(folder)) + "/*/*.parquet"
        return "read_parquet(\(QuotedText.quoted(path, by: "'")), hive_partitioning = false)"
    }

    /// A command that shows trips where they lie.
    public var query: String {
        "duckdb -c " + ShellWord.quoted("SELECT * FROM \(duckdbTable) LIMIT 20")
    }

    /// A path as a pattern that only this path fits.
    private static func pattern(_ path: String) -> String {
        let bytes = path.utf8.flatMap { byte -> [UInt8] in
            "[*?".utf8.contains(byte) ? [UInt8(ascii: "["), byte, UInt8(ascii: "]")] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let code = UInt8(exactly: 16 * digits[0] + digits[1])
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
