import TripDomain

/// What is cut out of a cell before it is read, and how the rest is made uniform.
///
/// `Unit M-007 (spare)` is the unit `7` by `take: "M-(\\d+)"` and `zeros: drop`.
public struct CellCut: Sendable, Hashable {
    /// One of the parts that a mark divides the cell into.
    public struct Part: Sendable, Hashable {
        /// The text between the parts.
        public var mark: String
        /// Which part: 1 is the first, -1 the last.
        public var number: Int

        /// Describes a part.
        ///
        /// - Parameters:
        ///   - mark: The text between the parts.
        ///   - number: Which part: 1 is the first, -1 the last; not 0.
        public init(mark: String, number: Int) {
            (self.mark, self.number) = (mark, number)
        }
    }

    /// The part that is read; nil reads the whole cell.
    ///
    /// A cell without the mark is one part; of a number that it has not, it is blank.
    public var part: Part?
    /// What is taken out of it: the leftmost text that fits, or its first group; nil takes all.
    ///
    /// A text in which nothing fits is rejected.
    public var pattern: Pattern?
    /// Whether zeros at the beginning are dropped, up to the last digit.
    public var dropsZeros = false
    /// The size up to which zeros are put before the text; 0 puts none.
    public var paddedSize = 0
    /// Whether ASCII letters are changed to small ones.
    public var isLowercased = false

    /// Describes a cut that leaves cells as they are.
    public init() {}

    /// Whether cells stay as they are.
    public var isEmpty: Bool {
        part == nil && pattern == nil && !dropsZeros && paddedSize == 0 && !isLowercased
    }

    /// The cut as one text, by which two pipelines are compared.
    public var text: String {
        var words: [String] = []
        if let part { words.append("part \(String(reflecting: part.mark)) \(part.number)") }
        if let pattern { words.append("take \(String(reflecting: pattern.text))") }
        if dropsZeros { words.append("zeros drop") }
        if paddedSize > 0 { words.append("pad \(paddedSize)") }
        if isLowercased { words.append("lower") }
        return words.joined(separator: " ")
    }

    /// A cell after the cut.
    ///
    /// - Parameter cell: The cell, trimmed where its field is.
    /// - Returns: What is left, trimmed again; nothing where the cell is blank or lacks the part;
    ///   nil where the pattern fits no part of a text.
    /// - Complexity: O(*n* · *m*) in the bytes of the cell and the steps of the pattern.
    func applied(to cell: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var text = part.map { Self.part($0, of: Array(cell)) } ?? Array(cell)
        text = text.withUnsafeBufferPointer { Array(trimmed($0)) }
        if let pattern, !text.isEmpty {
            let taken = pattern.capture(in: String(decoding: text, as: UTF8.self))
            guard let taken else { return nil }
            text = Array(taken.utf8)
            text = text.withUnsafeBufferPointer { Array(trimmed($0)) }
        }
        guard !text.isEmpty else { return [] }
        if dropsZeros {
            let zeros = text.prefix { $0 == 0x30 }.count
            let isNumber = zeros < text.count && (0x30...0x39).contains(text[zeros])
            text.removeFirst(isNumber ? zeros : max(0, zeros - 1))
        }
        if text.count < paddedSize {
            text.insert(contentsOf: repeatElement(0x30, count: paddedSize - text.count), at: 0)
        }
        if isLowercased { text = text.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
        return text
    }

    private static func part(_ part: Part, of cell: [UInt8]) -> [UInt8] {
        let mark = Array(part.mark.utf8)
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        while index + mark.count <= cell.count {
            guard cell[index...].starts(with: mark) else {
                index += 1
                continue
            }
            parts.append(cell[start..<index])
            index += mark.count
            start = index
        }
        parts.append(cell[start...])
        let place = part.number > 0 ? part.number - 1 : parts.count + part.number
        return parts.indices.contains(place) ? Array(parts[place]) : []
    }
}

/// Finds, of several columns that one field may be read from, the first that can be read.
struct FirstReadable: Sendable {
    private let text: TextField?
    private let value: ValueField?

    /// Prepares to read a field.
    ///
    /// - Parameters:
    ///   - definition: The field.
    ///   - latest: The last time that it may have; nil where any may.
    init(_ definition: FieldDefinition, latest: LatestTime?) {
        let isText = definition.type.columnKind == .text || definition.type == .patientID
        text = isText ? TextField(definition) : nil
        value = isText ? nil : ValueField(definition, latest: latest)
    }

    /// The place of the cell that is read.
    ///
    /// - Parameters:
    ///   - count: The number of cells.
    ///   - cell: The cell at a place.
    /// - Returns: The first that gives a value; where none does, the first that is not blank, whose
    ///   fault is the record's; else the first.
    func place(among count: Int, _ cell: (Int) -> UnsafeBufferPointer<UInt8>) -> Int {
        var written: Int?
        for place in 0..<count {
            let bytes = cell(place)
            guard !trimmed(bytes).isEmpty else { continue }
            if isReadable(bytes) { return place }
            written = written ?? place
        }
        return written ?? 0
    }

    private func isReadable(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        if var text {
            if case .code(let code) = text.outcome(of: cell) { return code != 0 }
            return false
        }
        switch value?.convert(cell) {
        case .integer, .real, .time: return true
        case .null, .reject, nil: return false
        }
    }
}
