import TripDomain

/// The values of one column while rows are read, in plain memory.
///
/// It is a type beside ``Column`` because a row sets one value of every column, and setting an
/// element of an array within an enumeration would check for other owners each time. The rows own
/// its memory and free it.
struct StoredColumn {
    private enum Kind {
        case code
        case text
        case integer
        case offset
        case real
        case patient
    }

    private let kind: Kind
    private let position: Int
    private let base: Int
    /// Codes of the batch, or of the column's own texts.
    private var codes: UnsafeMutablePointer<UInt32>
    /// Integers, or doubles by their bits.
    private var words: UnsafeMutablePointer<Int64>
    private var nulls: UnsafeMutablePointer<Bool>
    private var hasNulls = false
    /// For each code of the generation, its code in this batch; 0 where no row has had it yet.
    private let localCodes: UnsafeMutableBufferPointer<UInt32>
    /// The codes of the generation, in order of first appearance.
    private let seen: UnsafeMutablePointer<UInt32>
    private var seenCount = 0

    /// - Parameters:
    ///   - entry: The column.
    ///   - codeCount: The number of codes of the generation, including 0.
    ///   - capacity: The number of rows to allocate.
    init(_ entry: StoredColumns.Entry, codeCount: Int, capacity: Int) {
        (position, base) = (entry.position, entry.base ?? 0)
        switch entry.storage {
        case .codedText: kind = .code
        case .inlineText: kind = .text
        case .integer, .days, .seconds: kind = .integer
        case .offset: kind = .offset
        case .real: kind = .real
        case .patient: kind = .patient
        }
        let hasCodes = kind == .code || kind == .text || kind == .patient
        let codeCount = kind == .code ? codeCount : 0
        codes = .allocate(capacity: hasCodes ? capacity : 0)
        words = .allocate(capacity: hasCodes ? 0 : capacity)
        nulls = .allocate(capacity: hasCodes ? 0 : capacity)
        localCodes = .allocate(capacity: codeCount)
        localCodes.initialize(repeating: 0)
        seen = .allocate(capacity: codeCount)
    }

    func deallocate() {
        codes.deallocate()
        words.deallocate()
        nulls.deallocate()
        localCodes.deallocate()
        seen.deallocate()
    }

    /// The codes of the generation in its rows; none for a column without codes.
    var seenCodes: UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: seen, count: seenCount)
    }

    /// Whether its texts are in the rows themselves.
    var isInline: Bool { kind == .text }

    /// Appends the values of a block.
    ///
    /// - Parameters:
    ///   - block: The rows.
    ///   - start: The index of the first of them in the batch.
    /// - Returns: Whether every row has a value of the column's kind.
    mutating func take(_ block: borrowing StoredRecords, at start: Int) -> Bool {
        var isFit = true
        switch kind {
        case .code:
            for row in 0..<block.count {
                let code = block.code(position, row, &isFit)
                isFit = setCode(start &+ row, code) && isFit
            }
        case .integer:
            for row in 0..<block.count {
                var value: Int64?
                isFit = block.integer(position, row, &value) && isFit
                set(start &+ row, word: value)
            }
        case .offset:
            for row in 0..<block.count {
                var (value, local): (Int64?, Int64?)
                isFit = block.integer(position, row, &value) && isFit
                isFit = block.integer(base, row, &local) && isFit
                // The two columns of a time stamp come from one text, and are NULL together.
                set(start &+ row, word: local.flatMap { first in value.map { $0 &+ first } })
            }
        case .real:
            for row in 0..<block.count {
                var value: Double?
                isFit = block.real(position, row, &value) && isFit
                set(start &+ row, word: value.map { Int64(bitPattern: $0.bitPattern) })
            }
        case .text, .patient:
            for row in 0..<block.count {
                // Identifiers of patients are sealed, and no rule may read them; the codes of
                // inline texts are set separately.
                codes[start &+ row] = 0
                var value: Int64?
                let isNull = block.integer(position, row, &value) && value == nil
                isFit = (kind == .patient || isNull || block.text(position, row) != nil) && isFit
            }
        }
        return isFit
    }

    @inline(__always)
    private mutating func setCode(_ row: Int, _ code: Int) -> Bool {
        guard code >= 0, code < localCodes.count else { return false }
        // Code 0 is NULL in the batch and in the generation, and is never renumbered.
        if localCodes[code] == 0, code > 0 {
            seen[seenCount] = UInt32(code)
            seenCount += 1
            localCodes[code] = UInt32(seenCount)
        }
        codes[row] = localCodes[code]
        return true
    }

    @inline(__always)
    private mutating func set(_ row: Int, word: Int64?) {
        words[row] = word ?? 0
        nulls[row] = word == nil
        hasNulls = hasNulls || word == nil
    }

    func set(_ row: Int, code: UInt32) { codes[row] = code }

    /// Moves the values of `count` rows into larger memory.
    mutating func grow(_ count: Int, to capacity: Int) {
        func moved<Value>(_ old: UnsafeMutablePointer<Value>) -> UnsafeMutablePointer<Value> {
            let new = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
            new.moveInitialize(from: old, count: count)
            old.deallocate()
            return new
        }
        switch kind {
        case .code, .text, .patient: codes = moved(codes)
        case .integer, .offset, .real:
            words = moved(words)
            nulls = moved(nulls)
        }
    }

    /// The first `count` integers; 0 where one is NULL.
    func words(_ count: Int) -> UnsafeBufferPointer<Int64> {
        UnsafeBufferPointer(start: words, count: count)
    }

    /// The first `count` values as integers.
    func integers(_ count: Int) -> IntegerColumn {
        IntegerColumn(
            values: Array(UnsafeBufferPointer(start: words, count: count)),
            nulls: hasNulls ? Array(UnsafeBufferPointer(start: nulls, count: count)) : []
        )
    }

    /// The first `count` values as a column of a batch.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - texts: The values of coded texts, by the generation's codes.
    ///   - inline: The column's own texts.
    /// - Returns: The column.
    func column(_ count: Int, texts: TextPool, inline: TextPool) -> Column {
        switch kind {
        case .integer, .offset: return .integer(integers(count))
        case .real:
            let bits = integers(count)
            let reals = bits.values.map { Double(bitPattern: UInt64(bitPattern: $0)) }
            return .real(RealColumn(values: reals, nulls: bits.nulls))
        case .code, .text, .patient:
            var pool = inline
            for index in 0..<seenCount { pool.append(texts.slice(seen[index])) }
            let codes = Array(UnsafeBufferPointer(start: codes, count: count))
            return .text(TextColumn(codes: codes, pool: pool))
        }
    }
}

/// The position and storage of each column to read in a row of `trip_row`.
struct StoredColumns: Sendable {
    /// One column to read.
    struct Entry: Sendable {
        /// Its index in the shape; nil for the deciding rule, the count flag, file and record.
        let index: Int?
        /// Its position in the row.
        let position: Int
        let storage: TripStorage
        /// The position in the row of the local time that an offset is added to.
        let base: Int?
        /// The kind of its values; nil where it is no column of the shape.
        let kind: ColumnKind?
    }

    let shape: TripShape
    /// The columns to read: those of the shape, then the deciding rule and the count flag, then
    /// file and record where they are read.
    let entries: [Entry]
    /// The indexes of the entries that are fields, not derived columns.
    var fieldEntries: [Int] {
        entries.indices.filter { index in
            entries[index].index.map { !shape.columns[$0].isDerived } ?? false
        }
    }
    /// The indexes of the entries of the deciding rule and the count flag.
    let decision: [Int]
    /// The indexes of the entries of file and record; none where they are not read.
    let origin: [Int]
    /// The number of leading columns of a row that have to be read.
    let count: Int
    /// The values of coded texts, by code.
    let texts: TextPool
    /// The number of rules that trips may refer to.
    let ruleCount: Int

    /// - Parameters:
    ///   - tables: The columns of the generation.
    ///   - wanted: The columns to read, by their index in the shape.
    ///   - texts: The values of coded texts, by code.
    ///   - ruleCount: The number of rules that trips may refer to.
    ///   - readsOrigins: Whether to read file and record of each trip.
    init(
        _ tables: TripTables,
        wanted: Set<Int>,
        texts: TextPool,
        ruleCount: Int,
        readsOrigins: Bool
    ) {
        self.ruleCount = ruleCount
        shape = tables.shape
        self.texts = texts
        // The trip's number is the first column of every row.
        let columns = wanted.sorted().map { index in
            var base: Int?
            if case .offset(let local) = tables.storage[index] { base = local + 1 }
            return Entry(
                index: index,
                position: index + 1,
                storage: tables.storage[index],
                base: base,
                kind: tables.shape.columns[index].kind
            )
        }
        let rulePosition = tables.storage.count + 1
        count = rulePosition + (readsOrigins ? 4 : 2)
        entries =
            columns
            + (rulePosition..<count).map {
                Entry(index: nil, position: $0, storage: .integer, base: nil, kind: nil)
            }
        decision = [columns.count, columns.count + 1]
        origin = readsOrigins ? [columns.count + 2, columns.count + 3] : []
    }
}
