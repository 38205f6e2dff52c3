import TripDomain

/// Texts as the strict reader of pipelines takes them.
enum YAMLWord {
    /// A text, in quotes where it could be taken for something else.
    static func quoted(_ text: String) -> String {
        let isPlain =
            text.allSatisfy { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || "_ ./-".contains(letter))
            } && text.first.map { $0.isASCII && $0.isLetter } ?? false && text.last != " "
            && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
                .contains(text.lowercased())
        guard !isPlain else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            default:
                if scalar.isUnseen, scalar != " " {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }

    /// One text, or a list of several.
    static func list(_ texts: [String]) -> String {
        texts.count == 1
            ? quoted(texts[0]) : "[" + texts.map(quoted).joined(separator: ", ") + "]"
    }
}
