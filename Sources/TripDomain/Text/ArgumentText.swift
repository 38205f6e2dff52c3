/// The words that a program was called with.
public enum ArgumentText {
    /// The refusal of a word that is not UTF-8 text; nil where all words are.
    ///
    /// Read as text, such a path would become the path of something else, which a command would
    /// then look for or even make.
    public static var refusal: String? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: word) == nil { return refusal(of: "Argument \(index)") }
        }
        return nil
    }

    /// The refusal of an argument or setting that is not UTF-8 text.
    ///
    /// - Parameter subject: Which one it is.
    /// - Returns: One sentence.
    public static func refusal(of subject: String) -> String {
        "\(subject) is not UTF-8 text. Paths and names are read as UTF-8; rename the file or folder."
    }
}
