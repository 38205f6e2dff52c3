/// Finds options that are given twice, of which the argument parser would quietly take the last.
enum RepeatedOptions {
    /// Options that may be given several times: each adds a value.
    private static let lists: Set = [
        "--trip-type", "--region", "--skip", "--include", "--accept-smaller",
    ]

    /// What is wrong with the words of a command line; nil where nothing is.
    static func fault(_ words: some Sequence<String>) -> String? {
        var given: Set<String> = []
        for word in words {
            if word == "--" { return nil }
            guard word.hasPrefix("--") else { continue }
            let name = String(word.prefix { $0 != "=" })
            guard !lists.contains(name), !given.insert(name).inserted else { continue }
            let hint = name == "--month" ? " A range is one value: 2026-01..2026-10." : ""
            return "\(name) is given twice; give it once.\(hint)"
        }
        return nil
    }
}
