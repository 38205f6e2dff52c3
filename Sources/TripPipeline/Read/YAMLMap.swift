import TripDomain

/// A map of a pipeline file, read key by key; a key that is still unread at the end is unknown.
public struct YAMLMap {
    let value: YAMLValue
    private let pairs: [(key: YAMLValue.YAMLKey, value: YAMLValue)]
    private var read: Set<String> = []

    /// Reads a map.
    public init(_ value: YAMLValue, _ what: String) throws(PipelineFault) {
        guard case .map(let pairs) = value.content else {
            throw value.fault("\(what) must be a map of `key: value`; found \(value.kindName)")
        }
        self.value = value
        self.pairs = pairs
    }

    /// All keys with their values, in written order.
    var entries: [(key: YAMLValue.YAMLKey, value: YAMLValue)] { pairs }

    /// The value of a key; nil where the key is missing.
    public mutating func optional(_ key: String) -> YAMLValue? {
        read.insert(key)
        return pairs.first { $0.key.text == key }?.value
    }

    /// The value of a required key.
    public mutating func required(
        _ key: String,
        _ example: String
    ) throws(PipelineFault) -> YAMLValue {
        guard let found = optional(key) else {
            throw value.fault("`\(key)` is missing", suggestion: "Add, for example, `\(example)`.")
        }
        return found
    }

    /// The text of a key; nil where it is missing.
    public mutating func text(_ key: String) throws(PipelineFault) -> String? {
        guard let found = optional(key) else { return nil }
        return try found.text("`\(key)`")
    }

    /// The text of a key as one of some words; nil where it is missing.
    mutating func word<Word: RawRepresentable<String>>(
        _ key: String,
        of words: [Word]
    ) throws(PipelineFault) -> Word? {
        guard let found = optional(key) else { return nil }
        let text = try found.text("`\(key)`")
        guard let word = Word(rawValue: text) else {
            throw found.fault(
                "`\(key)` is '\(text)'; expected one of "
                    + words.map(\.rawValue).joined(separator: ", "),
                suggestion: Suggestion.text(for: text, among: words.map(\.rawValue))
            )
        }
        return word
    }

    /// `true`/`false` of a key; nil where it is missing.
    mutating func truth(_ key: String) throws(PipelineFault) -> Bool? {
        guard let found = optional(key) else { return nil }
        switch try found.text("`\(key)`") {
        case "true", "yes": return true
        case "false", "no": return false
        case let text: throw found.fault("`\(key)` is '\(text)'; expected true or false")
        }
    }

    /// Refuses the keys that were not read.
    ///
    /// - Throws: ``PipelineFault`` of the first of them; those of the others are noted.
    public func finish() throws(PipelineFault) {
        let unknown = pairs.filter { !read.contains($0.key.text) }.map { key, _ in
            PipelineFault(
                file: value.file,
                line: key.line,
                column: key.column,
                message: "unknown key `\(key.text)`",
                suggestion: Suggestion.text(for: key.text, among: Array(read))
            )
        }
        for fault in unknown.dropFirst() { value.faults.note(fault) }
        if let first = unknown.first { throw first }
    }
}

extension YAMLValue {
    /// A fault of the value at a path of keys below this value.
    ///
    /// - Parameters:
    ///   - path: The keys, from here on; where one is missing, the position of the last existing
    ///     one is used.
    ///   - message: What was found and what was expected.
    ///   - suggestion: What to do about it.
    /// - Returns: The fault, at the position of the key.
    func fault(at path: [String], _ message: String, suggestion: String = "") -> PipelineFault {
        var (here, line, column) = (self, self.line, self.column)
        for name in path {
            guard case .map(let pairs) = here.content,
                let found = pairs.first(where: { $0.key.text == name })
            else { break }
            (here, line, column) = (found.value, found.key.line, found.key.column)
        }
        return PipelineFault(
            file: file,
            line: line,
            column: column,
            message: message,
            suggestion: suggestion
        )
    }

    /// The text of this value.
    public func text(_ what: String) throws(PipelineFault) -> String {
        guard case .text(let text, _) = content else {
            throw fault("\(what) must be text; found \(kindName)")
        }
        return text
    }

    /// The text of this value; nil for `null`.
    func textOrNull(_ what: String) throws(PipelineFault) -> String? {
        guard case .text(let text, let isNull) = content else {
            throw fault("\(what) must be text or null; found \(kindName)")
        }
        return isNull ? nil : text
    }

    /// The texts of a list, or of a single text.
    func texts(_ what: String) throws(PipelineFault) -> [String] {
        guard case .list(let list) = content else { return [try text(what)] }
        var texts: [String] = []
        for element in list { texts.append(try element.text(what)) }
        return texts
    }

    /// The elements of a list.
    func list(_ what: String) throws(PipelineFault) -> [YAMLValue] {
        guard case .list(let list) = content else {
            throw fault("\(what) must be a list; found \(kindName)")
        }
        return list
    }

    /// A whole number.
    public func number(_ what: String) throws(PipelineFault) -> Int {
        let text = try text(what)
        guard let number = Int(text) else {
            throw fault("\(what) is '\(text)'; expected a whole number")
        }
        return number
    }
}

/// Finds the known word that the author may have meant.
public enum Suggestion {
    /// More words than this are not read.
    private static let shownMax = 30

    /// `Did you mean …?`, or the known words where nothing is near; empty where none is known.
    public static func text(for word: String, among known: [String]) -> String {
        if let nearest = NearestName.find(word, among: known.sorted()) {
            return "Did you mean `\(nearest)`?"
        }
        guard !known.isEmpty else { return "" }
        let words = known.sorted().reduce(into: [String]()) { words, word in
            // Texts that Unicode treats as equal are two names.
            let isAgain = words.last.map { $0.utf8.elementsEqual(word.utf8) } ?? false
            if !isAgain { words.append(word) }
        }
        let shown = words.prefix(shownMax).joined(separator: ", ")
        let rest = words.count > shownMax ? " and \(words.count - shownMax) more" : ""
        return "Known here: \(shown)\(rest)."
    }
}
