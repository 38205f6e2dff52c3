/// An agency's own words, which passwords must not be made of: its names, places and programs.
public enum PasswordWords {
    /// 64 KiB: a thousand words of 64 ASCII characters.
    private static let sizeMax = 64 * 1024
    /// A new password is searched for each word; a thousand take some milliseconds.
    private static let countMax = 1000

    /// Reads the words from a file in UTF-8, one per line; blank lines and lines that begin with
    /// `#` are skipped.
    ///
    /// - Parameter path: The file.
    /// - Returns: The words.
    /// - Throws: ``IdentityFault`` that names the file, and the line where the fault is in one
    ///   line.
    public static func read(_ path: String) throws(IdentityFault) -> [String] {
        let file = try PasswordFile(path)
        guard file.size <= sizeMax else { throw file.flawed(.tooLarge(max: sizeMax)) }
        let bytes = try file.bytes(from: 0, count: file.size)
        // Some editors begin UTF-8 with U+FEFF, which is not part of the first word.
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let text = String(validating: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self) else {
            throw file.flawed(.notText)
        }
        var words: [String] = []
        // To Swift a line end of two bytes is one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let word = trimmed(line)
            if word.isEmpty || word.hasPrefix("#") { continue }
            // One or two letters occur in every password, and removing them would split other
            // words.
            guard (3...64).contains(word.count) else {
                throw file.flawed(.noWord(line: index + 1))
            }
            words.append(String(word))
        }
        guard words.count <= countMax else { throw file.flawed(.tooManyWords(max: countMax)) }
        return words
    }

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...end]
    }
}
