/// The words the sources promise to the outside: codes, statuses, subcommands, flags, keys.
///
/// They are read from the text of the sources, so that a word that is added without its paragraph
/// is noticed without anybody keeping a list.
struct SourceWords {
    let repository: Repository

    /// The raw values of a `String` or `Int32` enum, in order.
    ///
    /// - Parameters:
    ///   - name: The enum's name.
    ///   - path: The file it is declared in.
    /// - Returns: The values as they are written outside.
    func rawValues(of name: String, in path: String) -> [String] {
        Self.rawValues(of: name, in: repository.text(path))
    }

    static func rawValues(of name: String, in text: String) -> [String] {
        var values: [String] = []
        var isInside = false
        for (_, line) in CodeRules.numbered(text) {
            let code = line.drop { $0 == " " }
            if code.contains("enum \(name):") {
                isInside = true
            } else if isInside, code.hasPrefix("case .") {
                continue
            } else if isInside, code.hasPrefix("case ") {
                let parts = code.dropFirst(5).split(separator: "=").map(trimmed)
                values.append((parts.count > 1 ? parts[1] : parts[0]).replacing("\"", with: ""))
            } else if isInside, !code.isEmpty, !code.hasPrefix("//") {
                return values
            }
        }
        return values
    }

    /// The subcommands with their own subcommands: `run`, `rejects list`.
    var subcommands: [String] {
        commandTexts.flatMap { Self.subcommands(in: $0) }.sorted()
    }

    /// The same of the server's program: `serve`, `user add`.
    var serverSubcommands: [String] {
        let files = repository.paths.filter { $0.hasPrefix("Sources/triptych-server/") }
        return files.flatMap { path -> [String] in
            let file = path.split(separator: "/").last ?? ""
            guard let end = file.firstRange(of: "Command") else { return [] }
            let group = file[..<end.lowerBound].lowercased()
            return Self.serverSubcommands(in: repository.text(path), group)
        }.sorted()
    }

    /// The inner commands of a group, or the group where a file has none.
    static func serverSubcommands(in text: String, _ group: String) -> [String] {
        let inner = text.split(separator: "    struct ").dropFirst().filter {
            $0.split(separator: "\n").first?.contains(": AsyncParsableCommand") ?? false
        }
        let names = inner.map { body -> String in
            if let start = body.firstRange(of: "commandName: \""),
                let end = body[start.upperBound...].firstIndex(of: "\"")
            {
                return String(body[start.upperBound..<end])
            }
            return kebab(body.prefix { $0 != ":" })
        }
        return names.isEmpty ? [group] : names.map { "\(group) \($0)" }
    }

    static func subcommands(in text: String) -> [String] {
        guard let start = text.firstRange(of: "commandName: \""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        else { return [] }
        let name = String(text[start.upperBound..<end])
        guard name != "triptych" else { return [] }
        let inner = text.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard line.hasPrefix("    struct "), line.contains(": ParsableCommand"),
                words.count > 1
            else { return nil }
            return words[1].lowercased().replacing(":", with: "")
        }
        return inner.isEmpty ? [name] : inner.map { name + " " + $0 }
    }

    /// The long flags of all subcommands: `--mart`, `--by`.
    var flags: Set<String> {
        Set(commandTexts.flatMap { Self.flags(in: $0) } + ["--help", "--version"])
    }

    static func flags(in text: String) -> [String] {
        var flags: [String] = []
        var isOpen = false
        for (_, line) in CodeRules.numbered(text) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("@Option") || code.hasPrefix("@Flag") { isOpen = true }
            guard isOpen else { continue }
            if let start = code.firstRange(of: ".customLong(\""),
                let end = code[start.upperBound...].firstIndex(of: "\"")
            {
                flags.append("--" + code[start.upperBound..<end])
                isOpen = false
            } else if code.hasPrefix("var ") {
                flags.append("--" + kebab(code.dropFirst(4).prefix { $0.isLetter || $0.isNumber }))
                isOpen = false
            }
        }
        return flags
    }

    /// The keys the readers of a pipeline folder know.
    var pipelineKeys: Set<String> {
        Set(
            repository.swiftPaths(below: "Sources/TripPipeline")
                .flatMap { Self.keys(in: repository.text($0)) }
        )
    }

    static func keys(in text: String) -> [String] {
        let calls = [
            "optional(\"", "required(\"", ".text(\"", ".word(\"", ".truth(\"", "positive(\"",
            "date(&map, \"",
        ]
        // A call may be broken after its parenthesis.
        let joined = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
            .replacing("( ", with: "(")
        return calls.flatMap { call in
            joined.ranges(of: call).compactMap { range -> String? in
                let key = joined[range.upperBound...].prefix { $0 != "\"" }
                let isKey = !key.isEmpty && key.allSatisfy { $0.isLowercase || $0 == "_" }
                return isKey ? String(key) : nil
            }
        }
    }

    /// The words `make` knows.
    var makeWords: Set<String> {
        Set(
            CodeRules.numbered(repository.text("Makefile")).compactMap { _, line in
                guard line.contains("##"), let colon = line.firstIndex(of: ":") else { return nil }
                let word = line[..<colon]
                return word.allSatisfy { $0.isLetter || $0 == "-" } ? String(word) : nil
            }
        )
    }

    private var commandTexts: [String] {
        repository.swiftPaths(below: "Sources/triptych").map { repository.text($0) }
    }

    private static func kebab(_ name: Substring) -> String {
        name.reduce(into: "") { word, letter in
            guard letter.isUppercase else { return word.append(letter) }
            word += (word.isEmpty ? "" : "-") + letter.lowercased()
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(separator: " ").joined(separator: " ")
    }
}
