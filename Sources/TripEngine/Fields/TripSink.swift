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

/// Takes the records of one slice from the scanner, hands their cells to a trip builder, and lets
/// the caller make of the trips what it keeps.
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
    private var builder: TripBuilder
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
        builder = TripBuilder(plan: plan)
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
        guard needsDecoding else {
            builder.add(CellRow(base: base, slices: fields, raw: raw), at: place)
            return
        }
        decode(fields, of: base)
        decodedBytes.withUnsafeBufferPointer { bytes in
            decodedSlices.withUnsafeBufferPointer { slices in
                guard let decodedBase = bytes.baseAddress else { return }
                builder.add(CellRow(base: decodedBase, slices: slices, raw: raw), at: place)
            }
        }
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    ) {
        builder.addUnreadable(reason: reason, text: Array(text), at: place)
    }

    mutating func finish() {
        var content: Content?
        var tripOrigins = IDOrigins()
        var rejectOrigins = IDOrigins()
        for reject in builder.rejects {
            if let id = reject.tripID { rejectOrigins.count(id.utf8) }
        }
        if builder.count > 0 {
            let batch = UnzonedBatch(
                batch: TripBatch(
                    fileIndex: fileIndex,
                    columns: builder.columns(),
                    recordNumbers: builder.recordIndexes,
                    lineNumbers: builder.lineIndexes
                ),
                openTimes: builder.openTimes
            )
            Self.count(
                batch.batch.columns[plan.fields[plan.tripIDField].shapeIndex].texts,
                in: &tripOrigins
            )
            content = make(batch)
        }
        yield = Yield(
            read: builder.read,
            rejects: builder.rejects,
            rejectTexts: builder.rejectTexts,
            tripOrigins: tripOrigins,
            rejectOrigins: rejectOrigins,
            content: content
        )
        // The columns are made; what they were made from goes.
        builder = TripBuilder(plan: plan)
    }

    private static func count(_ ids: TextColumn, in origins: inout IDOrigins) {
        ids.pool.bytes.withUnsafeBufferPointer { bytes in
            for code in ids.codes where code != 0 {
                origins.count(bytes[ids.pool.range(code)])
            }
        }
    }

    /// The record's bytes: its place gives their size, its first field where they begin.
    private static func raw(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        place: RecordPlace
    ) -> UnsafeBufferPointer<UInt8> {
        guard let first = fields.first else { return UnsafeBufferPointer(start: base, count: 0) }
        let start = Int(first.start) - (first.isQuoted ? 1 : 0)
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
