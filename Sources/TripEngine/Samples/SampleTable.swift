public import TripDomain

/// The cells of one column of a sample: each distinct text once.
public struct SampleColumn: Sendable {
    /// The column's name.
    public let name: String
    /// The distinct texts by code; code 0 is a blank.
    public private(set) var texts = TextInterner()
    /// The code of each record's cell, in order.
    public private(set) var codes: [UInt32] = []
    /// How many records have each code.
    public private(set) var counts = [0]

    /// Begins without records.
    ///
    /// - Parameter name: The column's name.
    public init(name: String) {
        self.name = name
    }

    /// Adds the cell of the next record.
    ///
    /// - Parameter cell: Its text, trimmed.
    public mutating func append(_ cell: UnsafeBufferPointer<UInt8>) {
        let code = cell.isEmpty ? 0 : texts.code(of: cell)
        if Int(code) == counts.count { counts.append(0) }
        counts[Int(code)] += 1
        codes.append(code)
    }

    /// The number of blank cells.
    public var blankCount: Int { counts[0] }
    /// The number of cells that are not blank.
    public var filledCount: Int { codes.count - counts[0] }
    /// The number of distinct texts.
    public var distinctCount: Int { texts.count }

    /// Calls a function with each distinct text and the number of records that have it.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of texts, in order of first appearance.
    ///   - body: The function.
    public func forEachText(
        limit: Int = .max,
        _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
    ) {
        for code in texts.codes.prefix(limit) {
            texts.pool.slice(code).withUnsafeBufferPointer { body($0, counts[Int(code)]) }
        }
    }
}

/// The records of a sample by column, as the reader of exports divides them.
public struct SampleTable: Sendable {
    /// The columns in the order of the file; cells are trimmed.
    public private(set) var columns: [SampleColumn]
    /// The records that follow the dialect and have a value.
    public private(set) var recordCount = 0
    /// The records of blanks alone, such as `,,,,`, which show nothing of the columns.
    public private(set) var blankCount = 0
    /// The records that were set aside, by reason.
    public private(set) var rejects: [RejectReason: Int] = [:]

    /// The number of records that were set aside.
    public var rejectCount: Int { rejects.values.reduce(0, +) }

    /// Begins without records.
    ///
    /// - Parameter names: The columns' names.
    public init(names: [String]) {
        columns = names.map { SampleColumn(name: $0) }
    }

    /// Adds the records of a sample.
    ///
    /// - Parameters:
    ///   - sample: The sample.
    ///   - offset: The offset of its header, or of its first record where the dialect lists
    ///     columns.
    ///   - dialect: How it is divided.
    ///   - order: The column of this table that each column of the sample adds to.
    /// - Throws: ``SourceFault`` where its header cannot be read.
    /// - Complexity: O(*n*) in the bytes.
    public mutating func add(
        _ sample: SampleText,
        from offset: Int,
        dialect: CSVDialect,
        order: [Int]
    ) throws {
        // The bytes are expanded, so the name must not promise gzip.
        let name =
            sample.name.lowercased().hasSuffix(".gz")
            ? String(sample.name.dropLast(3)) : sample.name
        let bytes = offset == 0 ? sample.bytes : Array(sample.bytes[offset...])
        let reader = RecordReader(
            try ByteSource(bytes: bytes, name: name),
            dialect: dialect,
            slicing: Slicing(threads: 1)
        )
        _ = try reader.readHeader()
        _ = try reader.scan(
            fieldCount: order.count,
            makeSink: { SampleSink(dialect) },
            deliver: { slice in add(slice.sink, order) }
        )
    }

    private mutating func add(_ sink: SampleSink, _ order: [Int]) {
        rejects.merge(sink.rejects) { $0 + $1 }
        blankCount += sink.blankCount
        recordCount += sink.ends.count / max(1, order.count)
        sink.text.withUnsafeBufferPointer { text in
            var start = 0
            for (index, end) in sink.ends.enumerated() {
                let cell = UnsafeBufferPointer(rebasing: text[start..<end])
                columns[order[index % order.count]].append(cell)
                start = end
            }
        }
    }

    /// The names that the first record of a sample gives its columns.
    ///
    /// - Parameters:
    ///   - sample: The sample.
    ///   - offset: The record's offset.
    ///   - dialect: How the sample is divided; without columns.
    /// - Returns: The names.
    /// - Throws: ``SourceFault`` where the record cannot be read.
    public static func names(
        of sample: SampleText,
        at offset: Int,
        dialect: CSVDialect
    ) throws(SourceFault) -> [String] {
        // A record is no longer than its limit.
        let end = min(sample.bytes.count, offset + dialect.recordSizeMax + 2)
        let reader = RecordReader(
            try ByteSource(bytes: Array(sample.bytes[offset..<end]), name: "header"),
            dialect: dialect,
            slicing: Slicing(threads: 1)
        )
        return try reader.readHeader().names
    }
}

/// Keeps the trimmed cells of one slice.
private struct SampleSink: RecordSink {
    private let decoder: FieldDecoder
    private var cell: [UInt8] = []
    private var scratch: [UInt8] = []
    var text: [UInt8] = []
    /// The end of each cell in the text, record by record.
    var ends: [Int] = []
    var rejects: [RejectReason: Int] = [:]
    /// The records of blanks alone, of which nothing is kept.
    var blankCount = 0

    init(_ dialect: CSVDialect) {
        decoder = FieldDecoder(dialect)
    }

    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    ) {
        let start = (text: text.count, ends: ends.count)
        for field in fields {
            cell.removeAll(keepingCapacity: true)
            decoder.append(field, of: base, to: &cell, scratch: &scratch)
            cell.withUnsafeBufferPointer { text.append(contentsOf: trimmed($0)) }
            ends.append(text.count)
        }
        guard text.count == start.text else { return }
        ends.removeSubrange(start.ends...)
        blankCount += 1
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {
        rejects[reason, default: 0] += 1
    }
}
