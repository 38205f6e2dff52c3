/// A kind of file that is no delimited text, recognised by its first bytes.
///
/// The name of a file says nothing: a workbook that was renamed to `.csv` is still a workbook.
struct FileKind {
    /// What the file is, as the object of "is".
    let words: String
    /// What the operator should do.
    let remedy: String

    /// The number of bytes that decide; a tar archive has its mark at 257.
    static let decidingSize = 262

    /// The kind of a file; nil where its beginning is that of no known kind.
    ///
    /// - Parameter bytes: Its first bytes, expanded.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let found = Self.kind(of: bytes) else { return nil }
        words = found.words
        remedy = found.remedy ?? "Get the export as delimited text (CSV)."
    }

    private static func kind(
        of bytes: UnsafeBufferPointer<UInt8>
    ) -> (words: String, remedy: String?)? {
        if bytes.starts(with: "PK\u{3}\u{4}".utf8) || bytes.starts(with: "PK\u{5}\u{6}".utf8) {
            return isWorkbook(bytes)
                ? ("an Excel workbook (xlsx)", "In the spreadsheet program, save it as CSV UTF-8.")
                : (
                    "a ZIP archive",
                    "Unpack it, and deliver the files in it; gzip is read as it is."
                )
        }
        for (mark, words) in marks where bytes.starts(with: mark) { return (words, nil) }
        if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: bzip2Block) {
            return ("compressed with bzip2", nil)
        }
        if bytes.dropFirst(257).starts(with: "ustar".utf8) {
            return ("a tar archive", "Unpack it, and deliver the files in it.")
        }
        return page(bytes)
    }

    /// The mark of a block of bzip2, after the letters and the digit of its level.
    private static let bzip2Block: [UInt8] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]

    /// Marks of binary formats; none of them can begin a header.
    private static let marks: [([UInt8], String)] = [
        ([0x1F, 0x8B], "compressed twice with gzip"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document (xls)"),
        ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd"),
        ([0xFD] + Array("7zXZ".utf8), "compressed with xz"),
        (Array("7z".utf8) + [0xBC, 0xAF], "a 7z archive"),
        (Array("Rar!".utf8) + [0x1A], "a RAR archive"),
        (Array("%PDF-".utf8), "a PDF document"),
        (Array("PAR1".utf8), "a Parquet file"),
        (Array("SQLite format 3".utf8) + [0], "an SQLite database"),
        (Array("{\\rtf".utf8), "an RTF document"),
    ]

    /// Whether a ZIP archive is a workbook: its first entry is one that every workbook has.
    private static func isWorkbook(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The name of an entry stands 30 bytes behind its mark.
        let name = bytes.dropFirst(30)
        return ["[Content_Types].xml", "_rels/", "xl/", "docProps/"].contains {
            name.starts(with: $0.utf8)
        }
    }

    /// A page of a web server, as where a download met a sign-in page, or another markup.
    private static func page(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (words: String, remedy: String?)? {
        let text = bytes.drop { $0 <= 0x20 || ByteOrderMark.utf8.contains($0) }.prefix(16)
        let start = String(decoding: text, as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            return (
                "a web page (HTML)",
                "The download was probably answered with a page, such as one to sign in at; "
                    + "get the file again."
            )
        }
        return start.hasPrefix("<?xml") ? ("an XML document", nil) : nil
    }
}
