/// What the argument parser prints of a command's use, which it writes as one line.
public enum UsageText {
    /// The lines of a text of the parser; those that show a command's options fit the screen.
    ///
    /// Its other lines stay as they are: a script for the shell's completion must not be broken.
    ///
    /// - Parameters:
    ///   - text: The text: an error with the command's use, or its help.
    ///   - screen: What it is shown on.
    /// - Returns: The lines.
    public static func lines(of text: String, on screen: Screen) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let title = titles.first { line.hasPrefix($0) }
            guard let title, DisplayWidth.of(line) > screen.width else { return [String(line)] }
            return broken(options(of: line), hang: title.count, in: screen.width)
        }
    }

    private static let titles = ["Usage: ", "USAGE: "]

    /// The words of a line; an option belongs together with its value, and so does what brackets
    /// hold.
    private static func options(of line: Substring) -> [String] {
        var options: [String] = []
        var isOpen = false
        for word in line.split(separator: " ") {
            let isValue =
                word == "..." || word.hasPrefix("<") && options.last?.hasPrefix("--") ?? false
            if isOpen || isValue, let last = options.popLast() {
                options.append(last + " " + word)
            } else {
                options.append(String(word))
            }
            if word.hasPrefix("[") { isOpen = true }
            if word.hasSuffix("]") { isOpen = false }
        }
        return options
    }

    private static func broken(_ options: [String], hang: Int, in width: Int) -> [String] {
        var lines = [options[0]]
        for option in options.dropFirst() {
            let line = lines[lines.count - 1]
            if DisplayWidth.of(line) + 1 + DisplayWidth.of(option) <= width {
                lines[lines.count - 1] = line + " " + option
            } else {
                lines.append(String(repeating: " ", count: hang) + option)
            }
        }
        return lines
    }
}
