/// Words as shell syntax, so that the commands a message names can be copied.
public enum ShellWord {
    /// A word, in quotes where the shell would read it as anything else.
    ///
    /// - Parameter word: A path, an id, a name.
    /// - Returns: The word as one argument of a command.
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "_-./,:=@%+".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        // Bash reads the escapes of `$'…'`; written as it is, a line feed would forge a line.
        if word.unicodeScalars.contains(where: \.isUnseen) { return escaped(word) }
        // By bytes: in Swift's characters, a combining accent hides the quote it stands on.
        let quote = UInt8(ascii: "'")
        let bytes = word.utf8.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }

    /// A word that holds characters which show nothing, byte by byte where it has to be.
    private static func escaped(_ word: String) -> String {
        let letters = word.unicodeScalars.map { scalar in
            if scalar == "'" || scalar == "\\" { return "\\" + String(scalar) }
            guard scalar.isUnseen else { return String(scalar) }
            return String(scalar).utf8.map { byte in
                let digits = String(byte, radix: 16)
                return "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
            }.joined()
        }
        return "$'" + letters.joined() + "'"
    }
}
