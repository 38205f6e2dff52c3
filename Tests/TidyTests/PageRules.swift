/// House rules about the pages written for people, and about what lies in the repository at all.
enum PageRules {
    /// Bytes a file may have, unless it is data.
    static let fileSizeLimit = 200 << 10
    /// Bytes the committed sample may have in all.
    static let sampleSizeLimit = 1 << 20

    static func headline(_ path: String, _ text: String) -> [Breach] {
        let count = prose(text).count { $0.line.hasPrefix("# ") }
        return count == 1 ? [] : [Breach(path, "\(count) headlines of first rank; one is wanted")]
    }

    /// The headings of a page, without their marks.
    static func headings(_ text: String) -> [String] {
        prose(text).filter { $0.line.hasPrefix("#") }.map { line in
            String(line.line.drop { $0 == "#" }.drop { $0 == " " })
        }
    }

    /// Links to files that do not exist, and to headings that do not.
    static func links(
        _ path: String,
        _ text: String,
        pages: [String: String],
        paths: Set<String>
    ) -> [Breach] {
        let folder = path.split(separator: "/").dropLast().map(String.init)
        return prose(text).flatMap { number, line in
            targets(line).compactMap { target -> Breach? in
                guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
                let parts = target.split(
                    separator: "#",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let file = parts[0].isEmpty ? path : resolved(String(parts[0]), from: folder)
                let isFolder = paths.contains { $0.hasPrefix(file + "/") }
                guard paths.contains(file) || isFolder else {
                    return Breach(path, line: number, "the link leads nowhere: \(target)")
                }
                guard parts.count == 2, let page = pages[file] else { return nil }
                let anchors = headings(page).map(anchor)
                return anchors.contains(String(parts[1]))
                    ? nil : Breach(path, line: number, "no such heading: \(target)")
            }
        }
    }

    /// Suites and scripts of tests that a page names and that there are not.
    ///
    /// - Parameters:
    ///   - path: The page.
    ///   - text: Its text.
    ///   - paths: Every file there is.
    /// - Returns: The names that lead nowhere.
    static func tests(_ path: String, _ text: String, paths: Set<String>) -> [Breach] {
        let names = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        return CodeRules.numbered(text).flatMap { number, line in
            spans(line).compactMap { span -> Breach? in
                let isSuite =
                    span.hasSuffix("Tests") && span.allSatisfy { $0.isLetter || $0.isNumber }
                let isScript = span.hasPrefix("test_") && span.hasSuffix(".py")
                guard isSuite || isScript else { return nil }
                let file = isSuite ? span + ".swift" : span
                return names.contains(String(file)) || paths.contains { $0.contains("/\(span)/") }
                    ? nil : Breach(path, line: number, "there is no test called \(span)")
            }
        }
    }

    /// Paths that exist on one machine alone, and the places packages come from.
    static func machineWords(_ path: String, _ text: String) -> [Breach] {
        let folders = ["home", "root", "Users"].map { "/" + $0 + "/" }
        let registries =
            ["registry.npm" + "js.org", "py" + "pi.org", "crates" + ".io"]
            + ["proxy.gol" + "ang.org", "ruby" + "gems.org"]
        let found = (folders + registries).filter { text.contains($0) }
        guard !found.isEmpty else { return [] }
        return CodeRules.numbered(text).flatMap { number, line in
            found.filter { line.contains($0) }.map {
                Breach(path, line: number, "a path or place of one machine: \($0)")
            }
        }
    }

    static func sizes(_ sizes: [(path: String, size: Int)]) -> [Breach] {
        var breaches = sizes.filter {
            $0.size > ($0.path.hasPrefix("data/") ? sampleSizeLimit : fileSizeLimit)
        }.map { Breach($0.path, "\($0.size) bytes; large data is generated, not committed") }
        let sample = sizes.filter { $0.path.hasPrefix("data/sample/") }.reduce(0) { $0 + $1.size }
        if sample > sampleSizeLimit {
            breaches.append(Breach("data/sample", "\(sample) bytes in all"))
        }
        return breaches
    }

    // MARK: What the rules look at

    /// The lines of a page outside its code blocks, with their numbers.
    static func prose(_ text: String) -> [(number: Int, line: Substring)] {
        var isCode = false
        return CodeRules.numbered(text).filter { _, line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                return false
            }
            return !isCode
        }.map { ($0, $1) }
    }

    /// The commands of a page: what stands in its code blocks, and between backticks.
    static func commands(_ text: String) -> [(number: Int, words: [String])] {
        let proseLines = Set(prose(text).map(\.number))
        return CodeRules.numbered(text).flatMap {
            number,
            line -> [(number: Int, words: [String])] in
            let isProse = proseLines.contains(number) && !line.hasPrefix("    ")
            let codes = isProse ? spans(line) : [line]
            return codes.map { code in
                let command = code.split(separator: "#").first ?? ""
                return (number, command.split(separator: " ").map(String.init))
            }
        }
    }

    /// How a heading is named in a link.
    static func anchor(_ heading: String) -> String {
        var anchor = ""
        for letter in heading.lowercased() {
            if letter.isLetter || letter.isNumber || letter == "-" || letter == "_" {
                anchor.append(letter)
            } else if letter == " " {
                anchor.append("-")
            }
        }
        return anchor
    }

    private static func spans(_ line: Substring) -> [Substring] {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    private static func targets(_ line: Substring) -> [String] {
        var rest = line
        var found: [String] = []
        while let start = rest.firstRange(of: "](") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: ")") else { break }
            found.append(String(rest[..<end]))
        }
        return found
    }

    private static func resolved(_ target: String, from folder: [String]) -> String {
        var parts = folder
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
