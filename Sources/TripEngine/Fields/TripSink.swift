internal import TripDomain

/// One record's cells as UTF-8 text without escapes.
struct CellRow {
    let base: UnsafePointer<UInt8>
    let slices: UnsafeBufferPointer<FieldSlice>
    /// The record as delivered, without its line end.
    let raw: UnsafeBufferPointer<UInt8>

    /// The text of one cell; valid as long as the record is.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> { slices[index].bytes(of: base) }
}

/// Takes the records of one slice from the scanner, hands their cells to a builder of trips, and
/// lets the caller make of the trips what it keeps.
///
/// Records are built block by block, one by one where each may stand for several trips.
struct TripSink<Content: Sendable>: RecordSink {
    /// What a finished slice leaves behind.
    struct Yield {
        let read: LedgerAmount
        /// Records set aside; numbers and places relative to the slice.
        let rejects: [Reject]
        let rejectTexts: [[UInt8]]
        let tripOrigins: IDOrigins
        let rejectOrigins: IDOrigins
        /// What the caller made of the trips; nil where there are none.
        let content: Content?
    }

    /// Set once the slice is finished.
    private(set) var yield: Yield?
    private var builder: Builder
    private let plan: RecordPlan
    private let fileIndex: Int
    private let make: @Sendable (UnzonedBatch) -> Content
    private let decoder: FieldDecoder
    private let isUTF8: Bool
    private var decodedBytes: [UInt8] = []
    private var decodedSlices: [FieldSlice] = []
    private var scratch: [UInt8] = []

    private enum Builder {
        case blocks(BlockBuilder)
        case records(TripBuilder)
        /// The slice is finished.
        case none
    }

    init(
        plan: RecordPlan,
        request: ExportRequest,
        make: @escaping @Sendable (UnzonedBatch) -> Content
    ) {
        let dialect = request.dialect
        self.plan = plan
        self.make = make
        fileIndex = request.fileIndex
        let isOneByOne = plan.splitField != nil || request.buildsOneByOne
        builder = isOneByOne ? .records(TripBuilder(plan: plan)) : .blocks(BlockBuilder(plan: plan))
        decoder = FieldDecoder(dialect)
        isUTF8 = dialect.encoding == .utf8
    }

    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at place: RecordPlace
    ) {
        let raw = Self.raw(fields, of: base, place: place)
        var needsDecoding = !isUTF8
        for field in fields where field.hasEscapes { needsDecoding = true }
        if !needsDecoding, case .blocks(let blocks) = builder, let start = raw.baseAddress {
            blocks.add(fields, of: base, raw: start, at: place)
            return
        }
        addSlowly(fields, of: base, raw: raw, needsDecoding: needsDecoding, at: place)
    }

    @inline(never)
    private mutating func addSlowly(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        raw: UnsafeBufferPointer<UInt8>,
        needsDecoding: Bool,
        at place: RecordPlace
    ) {
        guard needsDecoding else {
            add(CellRow(base: base, slices: fields, raw: raw), at: place)
            return
        }
        decode(fields, of: base)
        let (bytes, slices) = (decodedBytes, decodedSlices)
        bytes.withUnsafeBufferPointer { bytes in
            slices.withUnsafeBufferPointer { slices in
                guard let decodedBase = bytes.baseAddress else {
                    preconditionFailure("decoded text begins with a byte")
                }
                if case .blocks(let blocks) = builder, let start = raw.baseAddress {
                    blocks.addCopy(slices, of: bytes, raw: start, at: place)
                } else {
                    add(CellRow(base: decodedBase, slices: slices, raw: raw), at: place)
                }
            }
        }
    }

    private mutating func add(_ cells: CellRow, at place: RecordPlace) {
        guard case .records(var records) = builder else {
            preconditionFailure("a finished slice takes nothing in")
        }
        builder = .none
        records.add(cells, at: place)
        builder = .records(records)
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    ) {
        switch builder {
        case .blocks(let blocks):
            blocks.addUnreadable(reason: reason, text: Array(text), at: place)
        case .records(var records):
            builder = .none
            records.addUnreadable(reason: reason, text: Array(text), at: place)
            builder = .records(records)
        case .none: preconditionFailure("a finished slice takes nothing in")
        }
    }

    mutating func finish() {
        switch builder {
        case .blocks(let blocks):
            blocks.flush()
            finish(
                Built(
                    read: blocks.read,
                    rejects: blocks.rejects,
                    rejectTexts: blocks.rejectTexts,
                    recordIndexes: blocks.recordIndexes,
                    lineIndexes: blocks.lineIndexes,
                    openTimes: blocks.openTimes
                ),
                columns: blocks.finishedColumns
            )
        case .records(let records):
            finish(
                Built(
                    read: records.read,
                    rejects: records.rejects,
                    rejectTexts: records.rejectTexts,
                    recordIndexes: records.recordIndexes,
                    lineIndexes: records.lineIndexes,
                    openTimes: records.openTimes
                ),
                columns: records.columns
            )
        case .none: preconditionFailure("a slice is finished once")
        }
        // The columns are made; what they were made from goes.
        builder = .none
    }

    /// What a builder has made, but for the columns.
    private struct Built {
        let read: LedgerAmount
        let rejects: [Reject]
        let rejectTexts: [[UInt8]]
        let recordIndexes: [UInt32]
        let lineIndexes: [UInt32]
        let openTimes: [Int: [TripBuilder.OpenTime]]
    }

    private mutating func finish(_ built: Built, columns: () -> [Column]) {
        var content: Content?
        var tripOrigins = IDOrigins()
        var rejectOrigins = IDOrigins()
        for reject in built.rejects {
            if let id = reject.tripID { rejectOrigins.count(id.utf8) }
        }
        if !built.recordIndexes.isEmpty {
            let batch = UnzonedBatch(
                batch: TripBatch(
                    fileIndex: fileIndex,
                    columns: columns(),
                    recordNumbers: built.recordIndexes,
                    lineNumbers: built.lineIndexes
                ),
                openTimes: built.openTimes
            )
            let idColumn = plan.fields[plan.tripIDField].shapeIndex
            tripOrigins.count(batch.batch.columns[idColumn].texts)
            content = make(batch)
        }
        yield = Yield(
            read: built.read,
            rejects: built.rejects,
            rejectTexts: built.rejectTexts,
            tripOrigins: tripOrigins,
            rejectOrigins: rejectOrigins,
            content: content
        )
    }

    /// The record's bytes: its place gives their size, its first field where they begin.
    private static func raw(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        place: RecordPlace
    ) -> UnsafeBufferPointer<UInt8> {
        guard let first = fields.first else { return UnsafeBufferPointer(start: base, count: 0) }
        let start = first.start - (first.isQuoted ? 1 : 0)
        return UnsafeBufferPointer(start: base + start, count: place.byteSize)
    }

    private mutating func decode(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>
    ) {
        decodedBytes.removeAll(keepingCapacity: true)
        decodedSlices.removeAll(keepingCapacity: true)
        // One byte ahead, so that the text of a record of empty cells has an address too.
        decodedBytes.append(0)
        for field in fields {
            let start = decodedBytes.count
            let text = decoder.withText(field, of: base, scratch: &scratch) { Array($0) }
            decodedBytes.append(contentsOf: text)
            decodedSlices.append(
                FieldSlice(
                    start: start,
                    end: decodedBytes.count,
                    isQuoted: false,
                    hasEscapes: false
                )
            )
        }
    }
}
