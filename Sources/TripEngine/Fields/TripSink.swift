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

    /// The record's bytes, with the size from its position and the start from its first field.
    static func raw(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        position: RecordPosition
    ) -> UnsafeBufferPointer<UInt8> {
        guard let first = fields.first else { return UnsafeBufferPointer(start: base, count: 0) }
        let start = first.start - (first.isQuoted ? 1 : 0)
        return UnsafeBufferPointer(start: base + start, count: position.byteSize)
    }
}

/// A builder of the trips of one slice, once it has received the last record.
protocol SliceBuilder {
    /// The amounts of all records.
    var read: LedgerAmount { get }
    /// The records set aside, with numbers relative to the slice.
    var setAside: RejectList { get }
    /// The records among them whose costs are derived; nil where costs are read from a field.
    var rejected: RejectedRecords? { get }
    /// Units that a record lists more than once, with numbers relative to the slice.
    var repetitions: [RepeatedUnit] { get }
    /// Per trip, the index of its record and of that record's line.
    var recordIndexes: [UInt32] { get }
    var lineIndexes: [UInt32] { get }
    /// Per stored time column, the rows whose zone is not known yet.
    var openTimes: [Int: [TripBuilder.OpenTime]] { get }

    /// The columns; time stamps listed in `openTimes` are still on their own clock.
    func finishedColumns() -> [Column]
}

/// Receives the records of one slice from the scanner, passes their cells to a builder of trips,
/// and calls the caller's closure with the finished trips.
///
/// Records are built block by block, or one by one where a record may contain several trips.
struct TripSink<Content: Sendable>: RecordSink {
    /// The output of a finished slice.
    struct Output {
        let read: LedgerAmount
        /// Records set aside, with numbers relative to the slice.
        let setAside: RejectList
        let repetitions: [RepeatedUnit]
        let tripOrigins: IDOrigins
        let rejectOrigins: IDOrigins
        /// The caller's content for the trips; nil where there are none.
        let content: Content?
    }

    /// Set once the slice is finished.
    private(set) var output: Output?
    /// The builder of the slice: one of the two until it is finished.
    private var blocks: BlockBuilder?
    private var records: TripBuilder?
    private let plan: RecordPlan
    private let fileIndex: Int
    private let derivedCost: DerivedCost?
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
        derivedCost = request.derivedCost
        let keepsRejected = derivedCost != nil
        if plan.splitField != nil || request.buildsOneByOne {
            records = TripBuilder(
                plan: plan,
                limits: request.rejectLimits,
                keepsRejected: keepsRejected
            )
        } else {
            blocks = BlockBuilder(
                plan: plan,
                limits: request.rejectLimits,
                keepsRejected: keepsRejected
            )
        }
        decoder = FieldDecoder(dialect)
        isUTF8 = dialect.encoding == .utf8
    }

    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    ) {
        let raw = CellRow.raw(fields, of: base, position: position)
        var needsDecoding = !isUTF8
        for field in fields where field.hasEscapes { needsDecoding = true }
        guard !needsDecoding else {
            addDecoded(fields, of: base, raw: raw, at: position)
            return
        }
        let cells = CellRow(base: base, slices: fields, raw: raw)
        if let blocks { blocks.add(cells, at: position) } else { addAlone(cells, at: position) }
    }

    private mutating func addDecoded(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        raw: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {
        decode(fields, of: base)
        // Moved out while they are read, and put back to be reused.
        let (text, slices) = (decodedBytes, decodedSlices)
        (decodedBytes, decodedSlices) = ([], [])
        text.withUnsafeBufferPointer { text in
            slices.withUnsafeBufferPointer { slices in
                guard let base = text.baseAddress else {
                    preconditionFailure("decoded text begins with a byte")
                }
                let cells = CellRow(base: base, slices: slices, raw: raw)
                if let blocks {
                    blocks.addCopy(of: cells, textSize: text.count, at: position)
                } else {
                    addAlone(cells, at: position)
                }
            }
        }
        (decodedBytes, decodedSlices) = (text, slices)
    }

    private mutating func addAlone(_ cells: CellRow, at position: RecordPosition) {
        precondition(records != nil, "a finished slice receives no more records")
        records?.add(cells, at: position)
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {
        precondition(blocks != nil || records != nil, "a finished slice receives no more records")
        blocks?.addUnreadable(reason: reason, text: Array(text), at: position)
        records?.addUnreadable(reason: reason, text: Array(text), at: position)
    }

    mutating func finish() {
        // The builders are freed once the columns are made.
        defer { (blocks, records) = (nil, nil) }
        if let blocks {
            blocks.flush()
            finish(blocks)
        } else if let records {
            finish(records)
        } else {
            preconditionFailure("a slice is finished once")
        }
    }

    private mutating func finish(_ built: some SliceBuilder) {
        var content: Content?
        var (read, setAside) = (built.read, built.setAside)
        if !setAside.isOver { price(&setAside, built.rejected, &read) }
        var tripOrigins = IDOrigins()
        var rejectOrigins = IDOrigins()
        let idField = plan.fields[plan.tripIDField]
        // A composed id may have escapes within the mark: `SYN\-1-1\-2`.
        let escape =
            IdentifierParts.isNeeded(for: idField.definition)
            ? IdentifierParts(idField.definition).escape : nil
        for reject in built.setAside.rejects where plan.positionIDs == nil {
            if let id = reject.tripID { rejectOrigins.count(id.utf8, escape: escape) }
        }
        // Of a file that will be refused, no trip is needed.
        if !built.recordIndexes.isEmpty, !built.setAside.isOver {
            let batch = UnzonedBatch(
                batch: TripBatch(
                    fileIndex: fileIndex,
                    columns: built.finishedColumns(),
                    recordNumbers: built.recordIndexes,
                    lineNumbers: built.lineIndexes
                ),
                openTimes: built.openTimes
            )
            read.cents += derivedCost?.sum(of: batch) ?? 0
            tripOrigins.count(batch.batch.columns[idField.shapeIndex].texts, escape: escape)
            content = make(batch)
        }
        if let ids = plan.positionIDs {
            tripOrigins = IDOrigins(built.recordIndexes.count, areGenerated: ids.areGenerated)
            rejectOrigins = IDOrigins(
                built.setAside.rejects.count,
                areGenerated: ids.areGenerated
            )
        }
        output = Output(
            read: read,
            setAside: setAside,
            repetitions: built.repetitions,
            tripOrigins: tripOrigins,
            rejectOrigins: rejectOrigins,
            content: content
        )
    }

    /// Gives the rejects the costs that can be derived of their records, and adds them to the
    /// amounts read.
    private func price(
        _ setAside: inout RejectList,
        _ rejected: RejectedRecords?,
        _ read: inout LedgerAmount
    ) {
        guard let derivedCost, let rejected else { return }
        for cost in rejected.costs(plan, derivedCost) {
            setAside.price(cost)
            read.cents += cost.cents ?? 0
            if cost.isUnpriced {
                read.unpriced += Int64(setAside.rejects[cost.reject].itemCount)
            }
        }
    }

    private mutating func decode(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>
    ) {
        decodedBytes.removeAll(keepingCapacity: true)
        decodedSlices.removeAll(keepingCapacity: true)
        // One byte first, so that the text of a record of empty cells has an address too.
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

/// The number of ids with the mark of generated data, and the number without it.
public struct IDOrigins: Sendable, Hashable {
    /// The beginning of every generated trip id.
    public static let mark = "SYN-"

    /// Ids with the mark.
    public var generated = 0
    /// Ids without it.
    public var real = 0

    init() {}

    /// Describes ids that another process counted.
    public init(generated: Int, real: Int) { (self.generated, self.real) = (generated, real) }

    /// Counts the ids of one file, which have the mark or not.
    init(_ count: Int, areGenerated: Bool) {
        (generated, real) = areGenerated ? (count, 0) : (0, count)
    }

    /// Whether no id was read.
    public var isEmpty: Bool { generated == 0 && real == 0 }

    static func += (left: inout IDOrigins, right: IDOrigins) {
        left.generated += right.generated
        left.real += right.real
    }

    /// Counts one id.
    ///
    /// - Parameters:
    ///   - id: The id, in UTF-8.
    ///   - escape: The byte that stands before marks within the parts of a composed id; nil where
    ///     ids have none.
    mutating func count(_ id: some Sequence<UInt8>, escape: UInt8? = nil) {
        if id.starts(with: Self.mark.utf8) || Self.isMarked(id, escape: escape) {
            generated += 1
        } else {
            real += 1
        }
    }

    /// Counts the ids of a column; NULL is not counted.
    ///
    /// - Parameters:
    ///   - ids: The ids.
    ///   - escape: As of ``count(_:escape:)``.
    mutating func count(_ ids: TextColumn, escape: UInt8? = nil) {
        let mark = Array(Self.mark.utf8)
        var marked = 0
        var seen = 0
        ids.pool.bytes.withUnsafeBufferPointer { bytes in
            for code in ids.codes where code != 0 {
                let range = ids.pool.range(code)
                var isMarked = range.count >= mark.count
                for index in mark.indices where isMarked {
                    isMarked = bytes[range.lowerBound + index] == mark[index]
                }
                if !isMarked, escape != nil {
                    isMarked = Self.isMarked(bytes[range], escape: escape)
                }
                marked += isMarked ? 1 : 0
                seen += 1
            }
        }
        generated += marked
        real += seen - marked
    }

    /// Whether a composed id has the mark once its escapes are taken away.
    private static func isMarked(_ id: some Sequence<UInt8>, escape: UInt8?) -> Bool {
        guard let escape else { return false }
        var bytes = id.makeIterator()
        for wanted in mark.utf8 {
            let byte = bytes.next()
            // What follows an escape is meant as it is written.
            guard (byte == escape ? bytes.next() : byte) == wanted else { return false }
        }
        return true
    }
}
