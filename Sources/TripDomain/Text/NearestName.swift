/// Finds the known word that a mistyped one most probably stands for.
public enum NearestName {
    /// The nearest of the known words.
    ///
    /// - Parameters:
    ///   - word: The word as typed.
    ///   - known: The words that exist.
    /// - Returns: nil where none is near: more than a third of the letters would have to change.
    ///   Nothing is near to a number or to a word of one or two letters but the same letters in
    ///   another case, and the same number with other zeros before it: `99` is no slip of `09`, and
    ///   `8` is one of `08`.
    public static func find(_ word: String, among known: [String]) -> String? {
        if let number = digits(word), let same = known.first(where: { digits($0) == number }) {
            return same
        }
        let letters = lettersAlone(word)
        if letters.count >= 3, let same = known.first(where: { lettersAlone($0) == letters }) {
            return same
        }
        return find(word, among: known) { max(1, $0 / 3) }
    }

    /// The known word that a word of a command line most probably stands for: the nearest; or the
    /// only one that begins with it; or one a little further off, which a list of the known words
    /// may follow.
    ///
    /// - Parameters:
    ///   - word: The word as typed.
    ///   - known: The words that exist.
    /// - Returns: nil where none is meant, as far as letters tell.
    public static func meant(by word: String, among known: [String]) -> String? {
        if let near = find(word, among: known) { return near }
        let typed = word.lowercased().utf8
        guard typed.count >= 3, digits(word) == nil else { return nil }
        let begun = known.filter { $0.lowercased().utf8.starts(with: typed) }
        return begun.count == 1 ? begun[0] : find(word, among: known) { max(1, ($0 + 1) / 3) }
    }

    /// A word without case and punctuation: `BLSE` is a slip of `BLS-E` rather than of `BLS`.
    private static func lettersAlone(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
        }
    }

    /// The digits of a number without the zeros before it; nil for any other word.
    private static func digits(_ word: String) -> [UInt8]? {
        let bytes = Array(word.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Array(bytes.drop { $0 == 0x30 })
    }

    private static func find(
        _ word: String,
        among known: [String],
        limit limitOfSize: (Int) -> Int
    ) -> String? {
        let typed = Array(word.lowercased().utf8)
        let isCode = typed.count < 3 || typed.allSatisfy { (0x30...0x39).contains($0) }
        var best: (name: String, distance: Int)?
        for name in known {
            let limit = isCode ? 0 : limitOfSize(max(typed.count, name.utf8.count))
            // Each letter of the difference in length is one to insert; the text of a damaged
            // file may be long, and the work grows by both lengths.
            guard abs(typed.count - name.utf8.count) <= limit else { continue }
            let distance = editDistance(typed, Array(name.lowercased().utf8))
            guard distance <= limit else { continue }
            if best.map({ distance < $0.distance }) ?? true {
                best = (name, distance)
            }
        }
        return best?.name
    }

    /// A sentence that offers the nearest known word.
    public static func suggestion(_ word: String, among known: [String]) -> String? {
        find(word, among: known).map { "did you mean `\($0)`?" }
    }

    /// How many bytes must be inserted, removed, replaced or swapped with their neighbour to make
    /// one word the other; case makes no difference.
    ///
    /// - Parameters:
    ///   - word: A word.
    ///   - other: Another one.
    /// - Returns: 0 where they are equal.
    public static func distance(_ word: String, _ other: String) -> Int {
        editDistance(Array(word.lowercased().utf8), Array(other.lowercased().utf8))
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    previous[column] + (letter == other ? 0 : 1),
                    previous[column + 1] + 1,
                    current[column] + 1
                )
                let isSwap =
                    row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other
                if isSwap { cost = min(cost, beforePrevious[column - 1] + 1) }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
