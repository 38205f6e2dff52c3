/// How a source writes its records; the pipeline declares it, and the reader never guesses.
public struct CSVDialect: Sendable, Hashable {
    /// What ends a physical line.
    public enum LineEnd: String, Sendable, CaseIterable {
        /// LF or CR LF, also mixed.
        case any
        /// LF alone.
        case lf
        /// CR LF alone.
        case crlf
        /// CR alone, as on old Macintosh systems.
        case cr
    }

    /// How bytes encode characters.
    public enum Encoding: String, Sendable, CaseIterable {
        /// UTF-8, with or without a byte order mark.
        case utf8
        /// ISO 8859-1: every byte is a character.
        case latin1
        /// Windows-1252: every byte is a character but 81, 8D, 8F, 90 and 9D.
        case windows1252

        /// The word for it in pipeline files.
        public var word: String {
            switch self {
            case .utf8: "utf-8"
            case .latin1: "latin-1"
            case .windows1252: "windows-1252"
            }
        }
    }

    /// The byte between two fields.
    public var delimiter: UInt8
    /// The byte around fields that hold delimiters or line ends; nil where there is no quoting.
    public var quote: UInt8?
    /// The byte that, inside quotes, makes the next byte literal.
    ///
    /// Where it is nil, a quote inside quotes is doubled.
    public var escape: UInt8?
    /// What ends a physical line.
    public var lineEnd: LineEnd
    /// Whether a quoted field may span physical lines.
    public var lineBreaksInQuotes: Bool
    /// The greatest size of a record in bytes, its line end left out.
    public var recordSizeMax: Int
    /// The greatest number of physical lines a record may span.
    public var recordLinesMax: Int
    /// How bytes encode characters.
    public var encoding: Encoding
    /// The columns' names, where the file has no header; nil where its first record names them.
    public var columns: [String]?

    /// Describes a dialect; the defaults are RFC 4180 in UTF-8 with either line end.
    ///
    /// - Parameters:
    ///   - delimiter: The byte between two fields.
    ///   - quote: The byte around fields; nil where there is no quoting.
    ///   - escape: The escaping byte inside quotes; nil where quotes are doubled.
    ///   - lineEnd: What ends a physical line.
    ///   - lineBreaksInQuotes: Whether a quoted field may span physical lines.
    ///   - recordSizeMax: The greatest size of a record in bytes.
    ///   - recordLinesMax: The greatest number of physical lines of a record.
    ///   - encoding: How bytes encode characters.
    ///   - columns: The columns' names, where the file has no header.
    public init(
        delimiter: UInt8 = UInt8(ascii: ","),
        quote: UInt8? = UInt8(ascii: "\""),
        escape: UInt8? = nil,
        lineEnd: LineEnd = .any,
        lineBreaksInQuotes: Bool = true,
        recordSizeMax: Int = 256 << 10,
        recordLinesMax: Int = 100,
        encoding: Encoding = .utf8,
        columns: [String]? = nil
    ) {
        self.delimiter = delimiter
        self.quote = quote
        self.escape = escape
        self.lineEnd = lineEnd
        self.lineBreaksInQuotes = lineBreaksInQuotes
        self.recordSizeMax = recordSizeMax
        self.recordLinesMax = recordLinesMax
        self.encoding = encoding
        self.columns = columns
    }

    /// Why the dialect cannot be used, as a sentence; nil where it can.
    public var objection: String? {
        let marks = [delimiter] + [quote, escape].compactMap(\.self)
        if marks.contains(where: { $0 >= 0x80 || $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
            return "Delimiter, quote and escape are ASCII and neither NUL nor a line end."
        }
        if Set(marks).count < marks.count {
            return "Delimiter, quote and escape differ from one another."
        }
        if escape != nil && quote == nil {
            return "An escape has a meaning only inside quotes, and there is no quote."
        }
        if recordSizeMax < 1 || recordSizeMax > 1 << 26 {
            return "A record's size limit lies between 1 byte and 64 MiB."
        }
        if recordLinesMax < 1 {
            return "A record may span at least one line."
        }
        if let columns, columns.isEmpty {
            return "A file without a header needs its columns listed."
        }
        return nil
    }
}
