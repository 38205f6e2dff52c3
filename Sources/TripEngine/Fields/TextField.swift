import TripDomain

/// The outcome of converting a cell of a text field.
enum TextOutcome: Sendable {
    /// A code of the field's pool; 0 is NULL.
    case code(UInt32)
    /// A reason to set the record aside.
    case reject(RejectReason)
}

/// Converts the cells of one text field of one batch: trims, folds, maps, checks, and codes them.
///
/// Most text columns of an export have few distinct values, so each distinct cell is converted
/// once and remembered. Where cells turn out to be mostly distinct, as trip ids are, the field
/// stops remembering: then each cell is converted by itself and appended to the pool.
struct TextField: Sendable {
    /// The number of cells after which more than half distinct cells count as mostly distinct.
    static let trialSize = 2048

    /// The greatest size of a region or trip type, in bytes.
    static let dimensionSizeMax = 256

    /// What few cells need.
    ///
    /// A class, so that a field is small to move from block to block.
    private final class Changes: Sendable {
        let cut: CellCut
        /// The value map by bytes: texts with different bytes differ, as in SQL, even if Unicode
        /// treats them as equal.
        let valueMap: [[UInt8]: [UInt8]]
        let isValueMapClosed: Bool

        init(_ definition: FieldDefinition) {
            cut = definition.cut
            isValueMapClosed = definition.isValueMapClosed
            valueMap = Dictionary(
                definition.valueMap.map { (Array($0.utf8), Array(($1 ?? "").utf8)) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    private let type: FieldType
    private let isTrimmed: Bool
    private let isRequired: Bool
    private let isUppercased: Bool
    private let isCut: Bool
    private let changes: Changes
    private let isPlain: Bool
    /// Whether the field is a dimension of the KPIs, where the word `all` is reserved.
    private let isDimension: Bool
    private let isTripID: Bool
    /// The size of the longest text that the value map may replace or refuse.
    private let mappedSizeMax: Int
    private var patternTable: PatternTable?
    private var cells = TextInterner()
    private var outcomes: [TextOutcome] = [.code(0)]
    private var cellCount = 0
    private var remembers = true
    private(set) var pool = TextPool()

    init(_ definition: FieldDefinition) {
        type = definition.type
        isTrimmed = definition.isTrimmed
        isRequired = definition.isRequired
        isUppercased = definition.isUppercased
        isCut = !definition.cut.isEmpty
        changes = Changes(definition)
        isDimension = ["region", "trip_type"].contains(definition.name)
        isTripID = definition.name == "trip_id"
        isPlain =
            !definition.isUppercased && definition.pattern == nil && definition.valueMap.isEmpty
            && definition.type == .text && definition.cut.isEmpty
        // A closed map may refuse any text.
        mappedSizeMax =
            definition.isValueMapClosed ? .max : changes.valueMap.keys.map(\.count).max() ?? 0
        patternTable = definition.pattern.map { PatternTable($0) }
    }

    /// Converts one cell.
    mutating func convert(_ cell: UnsafeBufferPointer<UInt8>) -> TextOutcome {
        guard remembers else { return outcome(of: cell) }
        cellCount += 1
        let known = cells.count
        let code = cells.code(of: cell)
        if Int(code) > known { outcomes.append(outcome(of: cell)) }
        if cellCount == Self.trialSize, cells.count * 2 > cellCount {
            remembers = false
            let last = outcomes[Int(code)]
            cells = TextInterner()
            outcomes = []
            return last
        }
        return outcomes[Int(code)]
    }

    /// The text of a cell after trimming, changing to capitals and the value map.
    ///
    /// - Parameter cell: The cell.
    /// - Returns: The text, whether or not it matches the pattern; nil where it is NULL.
    func meaning(of cell: [UInt8]) -> [UInt8]? {
        guard !isTripID || !cell.withUnsafeBufferPointer(isShortened) else { return nil }
        let text = folded(
            cell.withUnsafeBufferPointer { cell in
                let text = isTrimmed ? trimmed(cell) : cell
                // Where the cut does not fit, the text is rejected, and not dropped.
                return changes.cut.applied(to: text) ?? Array(text)
            }
        )
        let mapped = changes.valueMap[text] ?? text
        let meaning = type == .codes ? CodeList.codes(mapped) ?? mapped : mapped
        return meaning.isEmpty ? nil : meaning
    }

    /// Whether a spreadsheet has lost digits of a cell, or of what is cut out of it.
    private func isShortened(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        if SpreadsheetText.isOne(trimmed(cell)) { return true }
        guard isCut, let rest = changes.cut.applied(to: trimmed(cell)) else {
            return false
        }
        return rest.withUnsafeBufferPointer { SpreadsheetText.isOne($0) }
    }

    private func folded(_ text: [UInt8]) -> [UInt8] {
        guard isUppercased else { return text }
        return text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    /// Converts one cell without remembering it.
    mutating func outcome(of cell: UnsafeBufferPointer<UInt8>) -> TextOutcome {
        if isTripID, isShortened(cell) { return .reject(.wrongPattern) }
        let outcome = converted(cell)
        guard isDimension, case .code(let code) = outcome else { return outcome }
        let value = pool.slice(code)
        if value.elementsEqual(KPICell.all.utf8) { return .reject(.reservedWord) }
        // Every cell of the cube holds it: a text of thousands of letters is no region.
        return value.count > Self.dimensionSizeMax ? .reject(.wrongPattern) : outcome
    }

    private mutating func converted(_ cell: UnsafeBufferPointer<UInt8>) -> TextOutcome {
        let text = isTrimmed ? trimmed(cell) : cell
        if isPlain {
            guard !text.isEmpty else { return blank }
            return .code(pool.append(text))
        }
        guard !isCut else {
            return changes.cut.applied(to: text).map { converted($0) } ?? .reject(.wrongPattern)
        }
        if let outcome = quickOutcome(of: text) { return outcome }
        return converted(Array(text))
    }

    /// The outcome of a text that needs no change, without copying it; nil where the text may need
    /// a change.
    private mutating func quickOutcome(of text: UnsafeBufferPointer<UInt8>) -> TextOutcome? {
        guard text.count > mappedSizeMax, type != .codes else { return nil }
        if isUppercased, text.contains(where: { (0x61...0x7A).contains($0) }) {
            return nil
        }
        let fits = patternTable?.matches(text) ?? true
        guard fits, type != .npi || ProviderIdentifier.isValid(text) else {
            return .reject(.wrongPattern)
        }
        return .code(pool.append(text))
    }

    private var blank: TextOutcome {
        isRequired ? .reject(.missingValue) : .code(0)
    }

    private mutating func converted(_ cell: [UInt8]) -> TextOutcome {
        var text = folded(cell)
        if !changes.valueMap.isEmpty {
            if let mapped = changes.valueMap[text] {
                text = mapped
            } else if changes.isValueMapClosed, !text.isEmpty {
                return .reject(.unknownValue)
            }
        }
        if type == .codes {
            guard let codes = CodeList.codes(text) else { return .reject(.wrongType) }
            text = codes
        }
        guard !text.isEmpty else { return blank }
        let fits = text.withUnsafeBufferPointer { patternTable?.matches($0) } ?? true
        guard fits else { return .reject(.wrongPattern) }
        if type == .npi, !ProviderIdentifier.isValid(text) {
            return .reject(.wrongPattern)
        }
        return .code(pool.append(text[...]))
    }
}
