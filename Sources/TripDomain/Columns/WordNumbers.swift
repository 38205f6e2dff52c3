/// Numbers words in order of first appearance.
public struct WordNumbers: Sendable {
    /// Begins without words.
    public init() {}

    /// By bytes: texts with different bytes are two words, as in SQL, even if Unicode treats them
    /// as equal.
    private var numbers: [[UInt8]: UInt32] = [:]
    /// The words by number.
    public private(set) var words: [[UInt8]] = []

    /// The words by number, as texts.
    public var texts: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

    /// The number of each entry of a pool; entry 0 is NULL.
    public mutating func numbers(of texts: PackedTexts) -> [UInt32] {
        (0..<texts.poolCount).map { code in number(of: texts.withEntry(code) { Array($0) }) }
    }

    /// The number of each entry of a pool; entry 0 is NULL.
    public mutating func numbers(of pool: TextPool) -> [UInt32] {
        (0..<UInt32(pool.count)).map { number(of: Array(pool.slice($0))) }
    }

    /// The numbers of all words of another numbering.
    public mutating func numbers(of other: WordNumbers) -> [UInt32] {
        other.words.map { number(of: $0) }
    }

    /// The number of a word.
    public mutating func number(of word: [UInt8]) -> UInt32 {
        if let known = numbers[word] { return known }
        let number = UInt32(words.count)
        words.append(word)
        numbers[word] = number
        return number
    }
}
