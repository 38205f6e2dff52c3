/// Patterns of file names that claim some exports, and the later ones of the same kind.
enum ExportNames {
    /// The patterns for some files.
    ///
    /// - Parameter paths: The files.
    /// - Returns: One pattern for each ending of the names: `claims_20261103.csv.gz` gives
    ///   `claims_*.csv`, and `**/claims_*.csv` where the files lie in several folders.
    static func patterns(of paths: [String]) -> [String] {
        var stems: [(ending: String, stem: String)] = []
        for path in paths {
            let (stem, ending) = divided(path)
            if let index = stems.firstIndex(where: { $0.ending == ending }) {
                stems[index].stem = commonStart(stems[index].stem, stem)
            } else {
                stems.append((ending, stem))
            }
        }
        let folders = Set(paths.map { $0.split(separator: "/").dropLast() })
        let below = folders.count > 1 ? "**/" : ""
        return stems.map { ending, stem in
            // A name without an ending would claim everything.
            guard !ending.isEmpty else { return below + stem }
            let start = stem.prefix { !$0.isNumber && $0 != "*" && $0 != "?" }
            return below + start + "*" + ending
        }
    }

    /// The pattern of the date that makes one delivery of several files.
    ///
    /// - Parameter paths: The files.
    /// - Returns: The pattern with the date as its group: of `claims_260131_1.csv` and
    ///   `claims_260131_2.csv` it is `claims_(\d{6})`; nil where no two files have one date, or one
    ///   has none, or they begin differently.
    static func delivery(of paths: [String]) -> String? {
        let dates = paths.compactMap { dated(divided($0).stem) }
        guard let first = dates.first, dates.count == paths.count,
            Set(dates.map(\.date)).count < dates.count,
            dates.allSatisfy({ $0.start == first.start && $0.date.count == first.date.count })
        else { return nil }
        return "\(first.start)(\\d{\(first.date.count)})"
    }

    /// The first six or eight digits of a name, and the letters, digits and `_` before them.
    private static func dated(_ stem: String) -> (start: String, date: String)? {
        func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }
        var rest = stem[...]
        while let begin = rest.firstIndex(where: isDigit) {
            let digits = rest[begin...].prefix(while: isDigit)
            let start = stem[..<begin]
            if digits.count == 6 || digits.count == 8 {
                let isPlain = start.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
                }
                return isPlain ? (String(start), String(digits)) : nil
            }
            rest = rest[digits.endIndex...]
        }
        return nil
    }

    /// A pipeline's name from that of a file: the letters before its date or number.
    ///
    /// - Parameter path: The file.
    /// - Returns: The name; `exports` where nothing is left.
    static func pipelineName(_ path: String) -> String {
        let letters = divided(path).stem.lowercased().map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "_"
        }
        let start = letters.drop { !$0.isLetter }.prefix { !$0.isNumber }
        let word = String(start).split(separator: "_").joined(separator: "_")
        return word.isEmpty ? "exports" : String(word.prefix(48))
    }

    /// Whether a text can be a pipeline's name.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return name.utf8.count <= 48
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x5F || byte == 0x2D
            }
    }

    /// Where files lie in a landing folder: their names, or where two have one name, their paths
    /// below the folder that all of them lie in.
    ///
    /// - Parameter paths: The files, each once.
    /// - Returns: Their places, each once.
    static func landingPaths(of paths: [String]) -> [String] {
        let names = paths.map { fileName($0) }
        guard Set(names).count < names.count else { return names }
        let parts = paths.map { $0.split(separator: "/") }
        let shortest = parts.map(\.count).min() ?? 1
        let common = (0..<shortest - 1).first { place in
            Set(parts.map { $0[place] }).count > 1
        }
        let rests = parts.map { $0.dropFirst(common ?? shortest - 1) }
        let places = rests.map { $0.joined(separator: "/") }
        // Hidden folders and those above are no places in a landing folder.
        let areUsable = !rests.joined().contains { $0.hasPrefix(".") }
        guard areUsable, Set(places).count == places.count else {
            return names.enumerated().map { "\($0 + 1)/\($1)" }
        }
        return places
    }

    /// The name of a file without its folders.
    static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// A file's name without `.gz`, before and from its last point.
    private static func divided(_ path: String) -> (stem: String, ending: String) {
        var name = fileName(path)
        if name.lowercased().hasSuffix(".gz") { name = String(name.dropLast(3)) }
        guard let point = name.lastIndex(of: "."), point != name.startIndex else {
            return (name, "")
        }
        return (String(name[..<point]), String(name[point...]))
    }

    private static func commonStart(_ left: String, _ right: String) -> String {
        String(zip(left, right).prefix { $0 == $1 }.map(\.0))
    }
}
