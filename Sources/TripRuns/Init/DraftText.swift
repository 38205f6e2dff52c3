import TripDomain
import TripEngine

/// A drafted pipeline as the text of `pipeline.yaml`: every key with what it rests on.
struct DraftText {
    private let draft: PipelineDraft
    private var exports: SampledExports { draft.exports }
    private var lines: [String] = []

    /// The greatest width of a comment.
    private static let width = 96
    /// A pipeline file has 64 KiB at most; comments of columns that are not read end before that.
    private static let commentSizeMax = 24 << 10

    /// The text of a draft.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - folder: The folder it is written into, for the commands at its end.
    /// - Returns: The text.
    static func of(_ draft: PipelineDraft, folder: String) -> String {
        var text = DraftText(draft: draft)
        text.addHead()
        text.addSource()
        text.addFields()
        text.addRules()
        text.addChecks()
        text.addEnd(folder)
        return text.lines.joined(separator: "\n") + "\n"
    }

    private init(draft: PipelineDraft) {
        self.draft = draft
    }

    // MARK: - Lines

    /// Adds a comment, broken at words.
    private mutating func note(_ text: String, indent: Int = 0) {
        let start = String(repeating: " ", count: indent) + "#"
        var line = start
        for word in UnseenCharacters.named(in: text).split(separator: " ") {
            if line.count + word.count >= Self.width, line != start {
                lines.append(line)
                line = start
            }
            line += " " + word
        }
        lines.append(line)
    }

    private mutating func add(_ line: String) { lines.append(line) }

    private mutating func addHead() {
        let names = exports.paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let more = names.count > 1 ? " and \(Counted.text(names.count - 1, "more file"))" : ""
        note(
            "A beginning, drafted from \(names[0])\(more): "
                + "\(Counted.text(exports.table.recordCount, "record")) of "
                + Counted.text(exports.shape.names.count, "column")
                + (exports.isWhole ? "." : ", the beginning of long files.")
        )
        note("Each comment says what a line rests on. Read them, and correct what is wrong.")
        note("Every key: docs/PIPELINE.md")
        add("")
        add("pipeline: \(YAMLWord.quoted(draft.name))")
        note("A guess: exports do not name the zone of their clocks.")
        add("time_zone: America/New_York")
        add("")
    }

    private mutating func addSource() {
        let shape = exports.shape
        add("sources:")
        add("  exports:")
        note("Plain or gzip, below the folder that --input names.", indent: 4)
        add("    files: \(YAMLWord.list(draft.patterns))")
        var unread = shape.preambleLineCount
        if case .replaced = shape.header { unread += 1 }
        if case .missing = shape.header, let question = shape.titles.question {
            note("TO ANSWER: \(question).", indent: 4)
        }
        if unread > 0 {
            note(
                "The lines before the \(shape.header == .named ? "header" : "records"), which are "
                    + "not read.",
                indent: 4
            )
            add("    preamble_lines: \(unread)")
        }
        if draft.claimLines != nil, let order = ExportNames.delivery(of: exports.paths) {
            note(
                "Files of one date are one delivery: a claim may go on from one to the next.",
                indent: 4
            )
            add("    order: \(YAMLWord.quoted(order))")
        }
        if let found = draft.claimLines {
            for question in found.questions { note("TO ANSWER: \(question.text).", indent: 4) }
            lines += found.lines(of: draft).map { "    " + $0 }
        }
        addDialect(shape)
        if shape.dialect.encoding != .utf8 {
            note("Its bytes beyond ASCII are no UTF-8, and read as this:", indent: 4)
            add("    encoding: \(shape.dialect.encoding.word)")
        }
        if shape.dialect.lineEnd == .cr {
            note("Lines end with CR alone.", indent: 4)
            add("    line_ends: cr")
        }
        add("")
    }

    private mutating func addDialect(_ shape: ExportShape) {
        let dialect = shape.dialect
        var parts: [String] = []
        if dialect.delimiter != 0x2C {
            parts.append(
                "delimiter: " + (dialect.delimiter == 0x09 ? "tab" : mark(dialect.delimiter))
            )
        }
        if dialect.quote == nil { parts.append("quote: none") }
        if let escape = dialect.escape { parts.append("escape: \(mark(escape))") }
        guard let columns = dialect.columns else {
            if !parts.isEmpty {
                note("So the records have the same number of fields.", indent: 4)
                add("    dialect: {\(parts.joined(separator: ", "))}")
            }
            return
        }
        switch shape.header {
        case .replaced(let reason):
            note(
                "The header cannot be used: \(reason). So the columns are listed in their order.",
                indent: 4
            )
        case .missing(let reason):
            note("TO ANSWER: there is no header, for \(reason). Give the columns names.", indent: 4)
        case .named: break
        }
        add("    dialect:")
        for part in parts { add("      \(part)") }
        add("      columns:")
        for column in columns { add("        - \(YAMLWord.quoted(column))") }
    }

    private func mark(_ byte: UInt8) -> String {
        YAMLWord.quoted(String(decoding: [byte], as: UTF8.self))
    }

    // MARK: - Fields

    private mutating func addFields() {
        note("Our word: your column. Columns that stand in no line are not read.")
        add("fields:")
        for field in draft.fields { addField(field) }
        if !draft.personal.isEmpty {
            note(
                "Not read, since a cell may name a patient: "
                    + draft.personal.map { "`\($0)`" }.joined(separator: ", "),
                indent: 2
            )
        }
        if !draft.others.isEmpty {
            note("Further columns; take away the # in front of what rules shall use.", indent: 2)
        }
        var size = 0
        for (index, field) in draft.others.enumerated() {
            let line = "  # \(field.name): \(Self.value(of: field))    # \(field.evidence)"
            size += line.utf8.count
            guard size < Self.commentSizeMax else {
                note("and \(Counted.text(draft.others.count - index, "further column"))", indent: 2)
                break
            }
            add(line)
        }
        add("")
    }

    private mutating func addField(_ field: DraftField) {
        note(field.evidence + ".", indent: 2)
        if !field.values.isEmpty {
            note("Values: " + field.values.joined(separator: ", "), indent: 2)
        }
        if let question = field.question { note("TO ANSWER: \(question).", indent: 2) }
        let start = field.isComment ? "  # " : "  "
        add(start + "\(field.name): \(Self.value(of: field))")
    }

    // MARK: - Rules and checks

    private mutating func addRules() {
        note("The first rule that holds decides a trip; where none does it is undetermined.")
        note("Conditions: docs/RULES.md")
        let own = draft.ownValues
        guard !own.isEmpty else {
            note(
                "TO ANSWER: no column says by its values which trips are in-house, so all are "
                    + "undetermined. Complete these lines:"
            )
            let field = draft.fields.first { $0.name == "owner" } == nil ? "your_field" : "owner"
            let (these, others) = ("\(field) = 'YOUR VALUE'", "\(field) <> 'YOUR VALUE'")
            for line in Self.rules(these, others, "…", example: nil) { add("# " + line) }
            add("")
            return
        }
        let literals = own.map { "'" + $0.split(separator: "'").joined(separator: "''") + "'" }
        let list = literals.joined(separator: ", ")
        note("The owner is \(list) or another; a blank one stays undetermined.")
        let (these, others) =
            own.count == 1
            ? ("owner = \(list)", "owner <> \(list)")
            : ("owner IN (\(list))", "owner NOT IN (\(list))")
        let lines = Self.rules(these, others, "The owner is \(list).", example: own[0])
        for line in lines { add(line) }
        add("")
    }

    /// Two rules: one for own vehicles, one for those of vendors.
    ///
    /// - Parameters:
    ///   - own: The condition of the first.
    ///   - other: The condition of the second.
    ///   - because: The sentence of the first.
    ///   - example: An owner that the first decides; nil where the rules are to be completed.
    /// - Returns: Their lines.
    private static func rules(
        _ own: String,
        _ other: String,
        _ because: String,
        example: String?
    ) -> [String] {
        func rule(
            _ id: String,
            _ kind: String,
            _ when: String,
            _ why: String,
            _ examples: (decides: String, leaves: String)?
        ) -> [String] {
            [
                "  - id: \(id)", "    class: \(kind)", "    when: \(YAMLWord.quoted(when))",
                "    because: \(YAMLWord.quoted(why))",
            ]
                + (examples.map { examples in
                    [
                        "    examples:",
                        "      decides: [{owner: \(YAMLWord.quoted(examples.decides))}]",
                        "      leaves: [{owner: \(YAMLWord.quoted(examples.leaves))}]",
                    ]
                } ?? [])
        }
        let why = example == nil ? because : "The owner is another."
        return ["rules:"]
            + rule("own", "in_house", own, because, example.map { ($0, "Another") })
            + rule("vendor", "contracted", other, why, example.map { ("Another", $0) })
    }

    private mutating func addChecks() {
        note(
            "What a run must not publish (error_if), or must say (warn_if). Write lower limits once"
        )
        note("the exports are known, and error_if where rules decide all trips.")
        add("checks:")
        add("  - {id: unreadable, error_if: \"reject_pct > 50\"}")
        add("  - {id: rejects, warn_if: \"reject_pct > 2\"}")
        add("  - {id: undetermined, warn_if: \"undetermined_pct > 5\"}")
        add("")
    }

    private mutating func addEnd(_ folder: String) {
        let folder = ShellWord.quoted(folder)
        note("Next, with your exports in a folder of their own:")
        add("#   triptych check \(folder)")
        add("#   triptych run \(folder) --mart data/mart/\(draft.name) --input FOLDER --dry-run")
    }
}
