import TripDomain
import TripEngine

/// Reads one entry of `sources`, without its layouts.
enum SourceReader {
    /// The faults of its keys are noted.
    static func read(_ map: inout YAMLMap, name: String) -> SourceDefinition {
        let faults = map.value.faults
        let globs = faults.noting { () throws(PipelineFault) in
            try Self.globs(try map.required("files", "files: \"*.csv\""))
        }
        let replaces = faults.noting { () throws(PipelineFault) in
            try map.word("replaces", of: SourceDefinition.Replacement.allCases)
        }
        let period = faults.noting { () throws(PipelineFault) in
            try map.optional("period").map(FieldReader.pattern)
        }
        if case .period?? = replaces, case .some(.none) = period {
            faults.note(
                map.value.fault(
                    "`replaces: period` needs `period`",
                    suggestion: "Add a pattern that captures it from the file's name, such as "
                        + "`period: \"claims_(\\\\d{6})\"`."
                )
            )
        }
        let limits = faults.noting { () throws(PipelineFault) in
            try Self.limits(map.optional("limits"))
        }
        let dialect = faults.noting { () throws(PipelineFault) in
            try DialectReader.read(&map, limits: (limits ?? Limits()).record)
        }
        let order = faults.noting { () throws(PipelineFault) in
            try Self.order(map.optional("order"))
        }
        let expects = faults.noting { () throws(PipelineFault) in
            try map.word("expect", of: SourceDefinition.Rhythm.allCases)
        }
        let onRefused = faults.noting { () throws(PipelineFault) in
            try map.word("on_refused_file", of: SourceDefinition.RefusalPolicy.allCases)
        }
        let unknownColumns = faults.noting { () throws(PipelineFault) in
            try map.word("unknown_columns", of: SourceDefinition.UnknownColumnPolicy.allCases)
        }
        let settle = faults.noting { () throws(PipelineFault) in
            try map.optional("settle").map { (found) throws(PipelineFault) in
                try duration(found, "settle")
            } ?? 0
        }
        // Where a key has a fault, the pipeline is not used, whatever stands here instead.
        var source = SourceDefinition(
            name: name,
            globs: globs?.texts ?? [],
            globsPosition: globs?.position
                ?? LocatedText(text: "", file: map.value.file, line: map.value.line, column: 1),
            dialect: dialect ?? CSVDialect(recordSizeMax: 1, recordLinesMax: 1),
            layouts: [],
            order: order ?? .path,
            replaces: (replaces ?? nil) ?? .samePath,
            period: period ?? nil,
            expects: expects ?? nil,
            onRefusedFile: (onRefused ?? nil) ?? .withhold,
            unknownColumns: (unknownColumns ?? nil) ?? .ignore,
            settleSeconds: settle ?? 0,
            expansion: ExpansionLimits(
                expandedSizeMax: (limits ?? Limits()).expandedSize,
                ratioMax: (limits ?? Limits()).ratio
            ),
            rejects: (limits ?? Limits()).rejects
        )
        readHeader(&map, into: &source)
        ClaimLinesReader.read(map.optional("lines"), into: &source)
        return source
    }

    /// The keys that say where the header is and how it is compared.
    private static func readHeader(_ map: inout YAMLMap, into source: inout SourceDefinition) {
        let faults = map.value.faults
        faults.noting { () throws(PipelineFault) in
            source.preambleLines = try preambleLines(map.optional("preamble_lines"))
        }
        faults.noting { () throws(PipelineFault) in
            let words = SourceDefinition.HeaderCase.allCases
            source.ignoresHeaderCase = try map.word("header_case", of: words) == .ignore
        }
    }

    private static func preambleLines(_ value: YAMLValue?) throws(PipelineFault) -> Int {
        guard let value else { return 0 }
        let count = try value.number("`preamble_lines`")
        guard (0...100).contains(count) else {
            throw value.fault("`preamble_lines` is \(count); expected 0 to 100")
        }
        return count
    }

    /// The patterns of `files`, and where they stand.
    private static func globs(
        _ value: YAMLValue
    ) throws(PipelineFault) -> (texts: [String], position: LocatedText) {
        let texts = try value.texts("`files`")
        let position = LocatedText(
            text: texts.joined(separator: ", "),
            file: value.file,
            line: value.line,
            column: value.column
        )
        return (texts, position)
    }

    private static func order(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> SourceDefinition.Order {
        guard let value else { return .path }
        if case .map = value.content {
            var map = try YAMLMap(value, "`order`")
            let field = try map.required("field", "field: exported_at").text("`field`")
            try map.finish()
            return .field(field)
        }
        return .name(try FieldReader.pattern(value))
    }

    /// `90 seconds`, `1 minute`, `2 hours`.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - key: Its key.
    /// - Returns: The seconds.
    /// - Throws: ``PipelineFault`` where it is no duration.
    static func duration(_ value: YAMLValue, _ key: String) throws(PipelineFault) -> Int64 {
        let parts = try value.text("`\(key)`").split(separator: " ")
        let units: [String: Int64] = ["second": 1, "minute": 60, "hour": 3600, "day": 86_400]
        guard parts.count == 2, let count = Int64(parts[0]), (0...10_000).contains(count),
            let unit = units[
                parts[1].hasSuffix("s") ? String(parts[1].dropLast()) : String(parts[1])
            ]
        else { throw value.fault("`\(key)` must be a duration such as `1 minute`") }
        return count * unit
    }

    private struct Limits {
        var record = DialectReader.Limits()
        var expandedSize = 1 << 38
        var ratio = 200
        var rejects = RejectLimits()
    }

    private static func limits(_ value: YAMLValue?) throws(PipelineFault) -> Limits {
        var limits = Limits()
        guard let value else { return limits }
        var map = try YAMLMap(value, "`limits`")
        func positive(_ key: String, _ current: Int) throws(PipelineFault) -> Int {
            guard let found = map.optional(key) else { return current }
            let number = try found.number("`\(key)`")
            guard number > 0 else { throw found.fault("`\(key)` must be above 0") }
            return number
        }
        limits.record.recordSize = try positive("record_bytes", limits.record.recordSize)
        limits.record.recordLines = try positive("record_lines", limits.record.recordLines)
        limits.expandedSize = try positive("expanded_bytes", limits.expandedSize)
        limits.ratio = try positive("ratio", limits.ratio)
        limits.rejects.countMax = try positive("rejects", limits.rejects.countMax)
        limits.rejects.sizeMax = try positive("rejected_bytes", limits.rejects.sizeMax)
        try map.finish()
        return limits
    }
}

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
