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
    /// The builder of the slice: one of the two until it is finished.
    private var blocks: BlockBuilder?
    private var records: TripBuilder?
    private let plan: RecordPlan
    private let fileIndex: Int
    private let make: @Sendable (UnzonedBatch) -> Content
    private let decoder: FieldDecoder
    private let isUTF8: Bool
    private var decodedBytes: [UInt8] = []
    private var decodedSlices: [FieldSlice] = []
    private var scratch: [UInt8] = []

    init(
        plan: RecordPlan,
        request: ExportRequest,
        make: @escaping @Sendable (UnzonedBatch) -> Content
    ) {
        let dialect = request.dialect
        self.plan = plan
        self.make = make
        fileIndex = request.fileIndex
        if plan.splitField != nil || request.buildsOneByOne {
            records = TripBuilder(plan: plan)
        } else {
            blocks = BlockBuilder(plan: plan)
        }
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
        guard !needsDecoding else {
            addDecoded(fields, of: base, raw: raw, at: place)
            return
        }
        let cells = CellRow(base: base, slices: fields, raw: raw)
        if let blocks { blocks.add(cells, at: place) } else { addAlone(cells, at: place) }
    }

    private mutating func addDecoded(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        raw: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    ) {
        decode(fields, of: base)
        // Taken out while they are read, and put back to be used again.
        let (text, slices) = (decodedBytes, decodedSlices)
        (decodedBytes, decodedSlices) = ([], [])
        text.withUnsafeBufferPointer { text in
            slices.withUnsafeBufferPointer { slices in
                guard let base = text.baseAddress else {
                    preconditionFailure("decoded text begins with a byte")
                }
                let cells = CellRow(base: base, slices: slices, raw: raw)
                if let blocks {
                    blocks.addCopy(of: cells, textSize: text.count, at: place)
                } else {
                    addAlone(cells, at: place)
                }
            }
        }
        (decodedBytes, decodedSlices) = (text, slices)
    }

    private mutating func addAlone(_ cells: CellRow, at place: RecordPlace) {
        precondition(records != nil, "a finished slice takes nothing in")
        records?.add(cells, at: place)
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    ) {
        precondition(blocks != nil || records != nil, "a finished slice takes nothing in")
        blocks?.addUnreadable(reason: reason, text: Array(text), at: place)
        records?.addUnreadable(reason: reason, text: Array(text), at: place)
    }

    mutating func finish() {
        // The columns are made; what they were made from goes.
        defer { (blocks, records) = (nil, nil) }
        if let blocks {
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
        } else if let records {
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
        } else {
            preconditionFailure("a slice is finished once")
        }
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
            decoder.append(field, of: base, to: &decodedBytes, scratch: &scratch)
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
