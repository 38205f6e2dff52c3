/// Days with the name of the weekday before them: `Wed 10/14/2026`, `Wednesday, 14 Oct 2026`.
enum Weekday {
    private static let names = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// What stands behind the weekday, a comma or point, and blanks.
    ///
    /// - Parameter text: A cell's text, trimmed.
    /// - Returns: The rest; empty where the text does not begin so.
    static func rest(of text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let word = text.prefix { (0x61...0x7A).contains($0 | 0x20) }
        guard word.count >= 3, word.count < text.count else { return [] }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        guard names.contains(where: { $0.hasPrefix(name) }) else { return [] }
        var rest = text[word.endIndex...]
        if let mark = rest.first, mark == 0x2C || mark == 0x2E { rest = rest.dropFirst() }
        guard rest.first == 0x20 else { return [] }
        return Array(rest.drop { $0 == 0x20 })
    }
}
