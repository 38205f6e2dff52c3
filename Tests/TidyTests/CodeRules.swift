/// House rules about the text of one Swift file.
///
/// Each is a function from a file to its breaches, so that each can be shown to find what it is
/// meant to find.
enum CodeRules {
    /// Lines a source file may have.
    static let fileLineLimit = 400
    /// Lines a function may have, its first and last included.
    static let functionLineLimit = 70

    static func length(_ path: String, _ text: String) -> [Breach] {
        let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        guard count > fileLineLimit else { return [] }
        return [Breach(path, "\(count) lines; look for the seam before \(fileLineLimit)")]
    }

    /// The formatter breaks lines of code, and leaves comments as they are.
    static let commentColumnLimit = 100

    static func commentWidth(_ path: String, _ text: String) -> [Breach] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $1.count > commentColumnLimit && $1.drop { $0 == " " }.hasPrefix("//") }
            .map { Breach(path, line: $0.offset + 1, "a comment of \($0.element.count) columns") }
    }

    static func functionLength(_ path: String, _ text: SwiftText) -> [Breach] {
        functions(text).filter { $0.lineCount > functionLineLimit }.map {
            Breach(
                path,
                line: $0.line,
                "a function of \($0.lineCount) lines; it fits one screen of \(functionLineLimit)"
            )
        }
    }

    /// What is turned away with the name that is wanted instead.
    static let bannedWords = [
        "Manager", "Helper", "Util", "Utils", "Common", "Core", "Base", "Processor", "Info",
    ]

    static func names(_ path: String, _ text: SwiftText) -> [Breach] {
        var breaches: [Breach] = []
        let parts = path.split(separator: "/").map(String.init)
        if parts.dropLast().contains("Extensions") {
            breaches.append(Breach(path, "no Extensions folder: a file is named for its type"))
        }
        for part in parts {
            for word in banned(in: part) {
                breaches.append(Breach(path, "no file is named for a `\(word)`: say what it does"))
            }
        }
        for type in types(text) {
            for word in banned(in: type.name) {
                breaches.append(
                    Breach(path, line: type.line, "`\(type.name)`: say what it does, not `\(word)`")
                )
            }
        }
        return breaches
    }

    /// Each of these needs a comment that carries the argument which makes it right; `Entry?` is no
    /// `try?`.
    static let arguable =
        [" try?", "(try?", "@unchecked", "@inlinable", "(unsafe)", "unsafeBitCast"]
        + ["unsafeUninitializedCapacity", "unsafeDowncast", "@preconcurrency"]

    static func arguments(_ path: String, _ text: SwiftText) -> [Breach] {
        arguable.flatMap { word in
            text.lines(with: word).filter { !isArgued($0 - 1, word, text) }.map {
                Breach(
                    path,
                    line: $0,
                    "`\(word.drop { " (".contains($0) })` without a comment that says why it is right"
                )
            }
        }
    }

    /// These are never right here.
    static let forbidden = [
        ("try!", "throw, or state the broken assumption with preconditionFailure"),
        ("as!", "use a conditional cast and say what follows"),
        ("fatalError(", "a broken assumption is a precondition that names it"),
    ]

    static func forbiddenCalls(_ path: String, _ text: SwiftText) -> [Breach] {
        forbidden.flatMap { word, instead in
            text.lines(with: word).map { Breach(path, line: $0, "`\(word)` is banned: \(instead)") }
        }
    }

    /// Only the command writes to the terminal, and it does so through `Output.line`.
    static func printing(_ path: String, _ text: SwiftText) -> [Breach] {
        text.code.indices.filter {
            calls("print", text.code[$0]) || calls("debugPrint", text.code[$0])
        }
        .map { Breach(path, line: $0 + 1, "`print` is banned: only the command prints") }
    }

    /// What a row of SQLite is wrapped by: the one file of each target that may hold the library's.
    static let rowFiles = ["Sources/TripIdentity/Store/IdentityRow.swift"]

    /// The library's `row["…"]` ends the program where a damaged file holds a value of another
    /// type, and prints the row.
    ///
    /// Its brackets look like those of what wraps it, so that the type's very name is kept out:
    /// where it is not named there is none, as nothing of ours hands one over.
    static func bareRows(_ path: String, _ text: SwiftText) -> [Breach] {
        guard !rowFiles.contains(path),
            ImportTable.imports(text).contains(where: { $0.module.hasPrefix("GRDB") })
        else { return [] }
        return text.code.indices.filter { namesRow(text.code[$0]) }.map {
            Breach(
                path,
                line: $0 + 1,
                "`Row` of GRDB, whose brackets end the program: use IdentityRow"
            )
        }
    }

    /// Whether a line names the type; `SuppressedMonth.Row` is another one.
    private static func namesRow(_ line: String) -> Bool {
        let isPart = { (character: Character) in
            character.isLetter || character.isNumber || character == "_"
        }
        return line.ranges(of: "Row").contains { range in
            let before = line[..<range.lowerBound]
            let after = line[range.upperBound...].first
            if let last = before.last, isPart(last) { return false }
            if before.last == ".", !before.hasSuffix("GRDB.") { return false }
            return after.map { !isPart($0) } ?? true
        }
    }

    /// A note of open work names who will do it and the issue it stands in: `TODO(name, #12)`.
    static func openWork(_ path: String, _ text: String) -> [Breach] {
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]
        let named = try? Regex("(\(marks.joined(separator: "|")))\\([a-z]+, #[0-9]+\\)")
        guard marks.contains(where: { text.contains($0) }) else { return [] }
        return numbered(text).filter { _, line in
            // The pattern above is fixed text; were it wrong, every mark would be a breach.
            marks.contains { hasWord($0, line) } && named.map { !line.contains($0) } ?? true
        }.map { Breach(path, line: $0.0, "open work without a name and a number") }
    }

    /// Code that is not wanted any more is in git, not in a comment.
    static func deadCode(_ path: String, _ text: SwiftText) -> [Breach] {
        let starts = ["let ", "var ", "func ", "return ", "if ", "guard ", "for ", "import ", "}"]
        let ends = ["{", "}", ")", ";", "]"]
        return text.comments.indices.filter { index in
            let comment = text.comments[index]
            guard comment.hasPrefix("// "), text.isComment(index) else { return false }
            let said = comment.dropFirst(3)
            return starts.contains { said.hasPrefix($0) } && ends.contains { said.hasSuffix($0) }
        }.map { Breach(path, line: $0 + 1, "commented-out code") }
    }

    // MARK: What the rules look at

    /// The functions and initializers of a file, with the lines they span.
    static func functions(_ text: SwiftText) -> [(line: Int, lineCount: Int)] {
        var found: [(line: Int, lineCount: Int)] = []
        var open: [(line: Int, depth: Int)] = []
        var pending: (line: Int, depth: Int)?
        var depth = 0
        var parentheses = 0
        for (index, line) in text.code.enumerated() {
            if startsFunction(line) { pending = (index + 1, depth) }
            for byte in line.utf8 {
                switch byte {
                case 0x28: parentheses += 1
                case 0x29: parentheses -= 1
                case 0x7B:
                    // A brace within the parameters belongs to a default value.
                    if let start = pending, parentheses == 0 {
                        open.append((start.line, depth))
                        pending = nil
                    }
                    depth += 1
                case 0x7D:
                    depth -= 1
                    if let last = open.last, last.depth == depth {
                        found.append((last.line, index + 2 - last.line))
                        open.removeLast()
                    }
                    // A requirement of a protocol has no body of its own.
                    if let start = pending, start.depth > depth { pending = nil }
                default: continue
                }
            }
        }
        return found.sorted { $0.line < $1.line }
    }

    private static func startsFunction(_ line: String) -> Bool {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        guard !words.isEmpty else { return false }
        if words.contains("func") { return true }
        let code = line.drop { $0 == " " }
        let modifiers = ["public ", "private ", "convenience ", "required ", "override "]
        var rest = code
        while let modifier = modifiers.first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(modifier.count)
        }
        return ["init(", "init?(", "init<", "deinit"].contains { rest.hasPrefix($0) }
    }

    /// The types a file declares.
    static func types(_ text: SwiftText) -> [(name: String, line: Int)] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var found: [(name: String, line: Int)] = []
        for (index, line) in text.code.enumerated() {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            for (word, next) in zip(words, words.dropFirst())
            where kinds.contains(word) && next.first?.isUppercase == true {
                found.append((String(next), index + 1))
            }
        }
        return found
    }

    /// The banned words that a name in camel case holds as words.
    private static func banned(in name: String) -> [String] {
        var words: [String] = []
        // A format of that name, by RFC 4648.
        for letter in name.replacing("Base64", with: "") {
            if letter.isUppercase || words.isEmpty || !letter.isLetter { words.append("") }
            words[words.count - 1].append(letter)
        }
        return bannedWords.filter { words.contains($0) }
    }

    /// Whether a comment stands on the line, right below it, or above it with at most three lines
    /// between.
    private static func isArgued(_ index: Int, _ word: String, _ text: SwiftText) -> Bool {
        if !text.comments[index].isEmpty { return true }
        if index + 1 < text.code.count, text.isComment(index + 1) { return true }
        var linesBetween = 0
        for above in stride(from: index - 1, through: 0, by: -1) {
            if !text.comments[above].isEmpty { return true }
            if text.isBlank(above) { return false }
            // Several in a row share one argument.
            if !text.code[above].contains(word) { linesBetween += 1 }
            if linesBetween > 3 { return false }
        }
        return false
    }

    private static func calls(_ name: String, _ line: String) -> Bool {
        guard let range = line.firstRange(of: name + "(") else { return false }
        guard range.lowerBound > line.startIndex else { return true }
        let before = line[line.index(before: range.lowerBound)]
        return !(before.isLetter || before.isNumber || before == "_" || before == ".")
    }

    private static func hasWord(_ word: String, _ line: Substring) -> Bool {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains(Substring(word))
    }

    static func numbered(_ text: String) -> [(Int, Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0 + 1, $1) }
    }
}
