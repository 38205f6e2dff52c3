/// A Swift file cut into what is code and what is said about it, line by line.
///
/// Textual checks would otherwise stumble over their own words: a `{` in a string is no brace, and
/// a word in a comment is no name. Strings are blanked out (what stands in `\(…)` included, which
/// no check needs), comments are moved aside.
struct SwiftText {
    /// The code of each line, without comments, strings left as `""`.
    let code: [String]
    /// The comment of each line, marks included; empty where there is none.
    let comments: [String]
    /// The code of all lines, where what most files do not hold is looked for first.
    private let allCode: String

    init(_ text: String) {
        var scanner = Scanner(text)
        scanner.run()
        code = scanner.code.map { String(decoding: $0, as: UTF8.self) }
        comments = scanner.comments.map { String(decoding: $0, as: UTF8.self) }
        allCode = code.joined(separator: "\n")
    }

    /// Whether a line holds nothing but a comment.
    func isComment(_ index: Int) -> Bool {
        !comments[index].isEmpty && code[index].allSatisfy(\.isWhitespace)
    }

    /// Whether a line is empty.
    func isBlank(_ index: Int) -> Bool {
        comments[index].isEmpty && code[index].allSatisfy(\.isWhitespace)
    }

    /// The lines, counted from 1, whose code holds a text.
    func lines(with text: String) -> [Int] {
        guard allCode.contains(text) else { return [] }
        return code.indices.filter { code[$0].contains(text) }.map { $0 + 1 }
    }
}

/// Walks through the bytes once; knows comments, nested ones too, and all kinds of strings.
private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0
    private var codeLine: [UInt8] = []
    private var commentLine: [UInt8] = []
    private(set) var code: [[UInt8]] = []
    private(set) var comments: [[UInt8]] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func run() {
        while position < bytes.count {
            if isAt(0x2F, 0x2F) {
                while position < bytes.count, bytes[position] != 0x0A { takeComment() }
            } else if isAt(0x2F, 0x2A) {
                skipBlockComment()
            } else if let hashes = stringStart() {
                skipString(hashes: hashes)
            } else {
                takeCode()
            }
        }
        closeLine()
    }

    private func isAt(_ first: UInt8, _ second: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position] == first && bytes[position + 1] == second
    }

    private func isAt(_ text: [UInt8]) -> Bool {
        position + text.count <= bytes.count
            && bytes[position..<(position + text.count)].elementsEqual(text)
    }

    private mutating func newLine() {
        closeLine()
        position += 1
    }

    private mutating func closeLine() {
        code.append(codeLine)
        comments.append(commentLine)
        codeLine.removeAll(keepingCapacity: true)
        commentLine.removeAll(keepingCapacity: true)
    }

    private mutating func takeComment() {
        if bytes[position] == 0x0A { return newLine() }
        commentLine.append(bytes[position])
        position += 1
    }

    private mutating func takeCode() {
        if bytes[position] == 0x0A { return newLine() }
        codeLine.append(bytes[position])
        position += 1
    }

    private mutating func skip(_ count: Int) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == 0x0A { newLine() } else { position += 1 }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if isAt(0x2F, 0x2A) {
                depth += 1
                takeComment()
            } else if isAt(0x2A, 0x2F) {
                depth -= 1
                takeComment()
            }
            takeComment()
        } while depth > 0 && position < bytes.count
    }

    /// The number of `#` before a quote that begins a string here; nil where none begins.
    private func stringStart() -> Int? {
        var index = position
        while index < bytes.count, bytes[index] == 0x23 { index += 1 }
        return index < bytes.count && bytes[index] == 0x22 ? index - position : nil
    }

    private mutating func skipString(hashes: Int) {
        let marks = [UInt8](repeating: 0x23, count: hashes)
        skip(hashes)
        let isLong = isAt([0x22, 0x22, 0x22])
        let quotes: [UInt8] = isLong ? [0x22, 0x22, 0x22] : [0x22]
        codeLine += [0x22, 0x22]
        skip(quotes.count)
        let escape = [0x5C] + marks
        while position < bytes.count {
            if isAt(quotes + marks) {
                skip(quotes.count + marks.count)
                return
            }
            if isAt(escape + [0x28]) {
                skip(escape.count + 1)
                skipInterpolation()
            } else if isAt(escape) {
                skip(escape.count + 1)
            } else {
                skip(1)
            }
        }
    }

    /// Skips to the parenthesis that closes an interpolation; strings inside it may hold some.
    private mutating func skipInterpolation() {
        var depth = 1
        while position < bytes.count, depth > 0 {
            if let hashes = stringStart() {
                let kept = codeLine
                skipString(hashes: hashes)
                codeLine = kept
                continue
            }
            if bytes[position] == 0x28 { depth += 1 }
            if bytes[position] == 0x29 { depth -= 1 }
            skip(1)
        }
    }
}
