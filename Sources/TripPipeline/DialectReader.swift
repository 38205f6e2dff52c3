import TripEngine

/// Reads the rules by which a source's text is divided into records and cells.
enum DialectReader {
    /// Limits that protect a run from a damaged or hostile file.
    struct Limits {
        var recordSize = 256 << 10
        var recordLines = 100
    }

    static func read(_ map: inout YAMLMap, limits: Limits) throws(PipelineFault) -> CSVDialect {
        var dialect = CSVDialect(
            recordSizeMax: limits.recordSize,
            recordLinesMax: limits.recordLines
        )
        if let value = map.optional("dialect") {
            var inner = try YAMLMap(value, "`dialect`")
            if let mark = inner.optional("delimiter") {
                dialect.delimiter = try byte(mark, "`delimiter`")
            }
            if let mark = inner.optional("quote") {
                let text = try mark.textOrNull("`quote`")
                dialect.quote = text == nil || text == "none" ? nil : try byte(mark, "`quote`")
            }
            if let mark = inner.optional("escape"), try mark.text("`escape`") != "doubled" {
                dialect.escape = try byte(mark, "`escape`")
            }
            dialect.columns = try inner.optional("columns")?.texts("`columns`")
            try inner.finish()
        }
        dialect.encoding = try encoding(map.optional("encoding"))
        dialect.lineEnd = try map.word("line_ends", of: CSVDialect.LineEnd.allCases) ?? .any
        dialect.lineBreaksInQuotes = try map.truth("line_breaks_in_quotes") ?? true
        if let objection = dialect.objection { throw map.value.fault(objection) }
        return dialect
    }

    private static func byte(_ value: YAMLValue, _ what: String) throws(PipelineFault) -> UInt8 {
        let text = try value.text(what)
        if text == "tab" { return 0x09 }
        guard text.utf8.count == 1, let byte = text.utf8.first else {
            throw value.fault("\(what) is '\(text)'; expected one ASCII character, or `tab`")
        }
        return byte
    }

    private static func encoding(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> CSVDialect.Encoding {
        guard let value else { return .utf8 }
        let words: [String: CSVDialect.Encoding] = [
            "utf-8": .utf8, "latin-1": .latin1, "iso-8859-1": .latin1,
            "windows-1252": .windows1252,
        ]
        let text = try value.text("`encoding`")
        guard let encoding = words[text] else {
            throw value.fault(
                "`encoding` is '\(text)', which is not supported",
                suggestion: Suggestion.text(for: text, among: Array(words.keys))
            )
        }
        return encoding
    }
}
