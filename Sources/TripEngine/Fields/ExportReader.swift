public import TripDomain

/// What a file is read by: where it lies and what its source declares.
public struct ExportRequest: Sendable {
    /// Where the bytes are.
    public var path: String
    /// The file's path below the input folder.
    public var name: String
    /// The file's place in the run's list, in order of exports.
    public var fileIndex: Int
    /// How its text is divided.
    public var dialect: CSVDialect
    /// How it may look.
    public var layouts: [LayoutDefinition]
    /// The stored columns of all declared fields.
    public var shapeColumns: [ShapeColumn]
    /// The money field the ledger sums; nil where there is none.
    public var costName: String?
    /// Whether a column no field uses is an error.
    public var refusesUnknownColumns: Bool
    /// How far a compressed file may grow.
    public var limits: ExpansionLimits
    /// How the work is spread.
    public var slicing: Slicing

    /// Describes one file to read.
    ///
    /// - Parameters:
    ///   - path: Where the bytes are.
    ///   - name: The file's path below the input folder.
    ///   - fileIndex: The file's place in the run's list.
    ///   - dialect: How its text is divided.
    ///   - layouts: How it may look.
    ///   - shapeColumns: The stored columns of all declared fields.
    ///   - costName: The money field the ledger sums.
    ///   - refusesUnknownColumns: Whether a column no field uses is an error.
    ///   - limits: How far a compressed file may grow.
    ///   - slicing: How the work is spread.
    public init(
        path: String,
        name: String,
        fileIndex: Int,
        dialect: CSVDialect,
        layouts: [LayoutDefinition],
        shapeColumns: [ShapeColumn],
        costName: String?,
        refusesUnknownColumns: Bool,
        limits: ExpansionLimits,
        slicing: Slicing
    ) {
        self.path = path
        self.name = name
        self.fileIndex = fileIndex
        self.dialect = dialect
        self.layouts = layouts
        self.shapeColumns = shapeColumns
        self.costName = costName
        self.refusesUnknownColumns = refusesUnknownColumns
        self.limits = limits
        self.slicing = slicing
    }
}

/// The trips of one slice of a file, some of whose time stamps still need their zone.
public struct UnzonedBatch: Sendable {
    /// The trips.
    public internal(set) var batch: TripBatch
    /// Per stored time column, the rows whose zone is still to be found.
    let openTimes: [Int: [TripBuilder.OpenTime]]
}

/// One file read to its end and confirmed.
public struct ExportReading: Sendable {
    /// Its trips, slice by slice.
    public private(set) var batches: [UnzonedBatch]
    /// What was set aside, in the order of the file.
    public let rejects: [Reject]
    /// The raw record of each reject.
    public let rejectTexts: [[UInt8]]
    /// What was read, before any decision: the left side of the ledger.
    public let read: LedgerAmount
    /// Lines and records by what became of them.
    public let counts: ScanCounts
    /// Hashes and sizes.
    public let digest: SourceDigest
    /// The layout the header chose.
    public let layoutName: String
    /// Trips whose id carries the mark of generated data.
    public let syntheticTrips: Int

    /// Trips that were built.
    public let tripCount: Int

    /// The same reading without its trips, for callers that have taken them over.
    public var withoutBatches: ExportReading {
        var copy = self
        copy.batches = []
        return copy
    }
}

/// Reads one export into typed trips, rejects and the left side of its ledger.
public enum ExportReader {
    /// What every generated trip id begins with.
    public static let syntheticMark = "SYN-"

    /// Reads one export.
    ///
    /// - Parameter request: The file and what its source declares.
    /// - Returns: Everything in it; nothing of a damaged file is ever returned.
    /// - Throws: ``SourceFault`` where the file is unreadable or damaged; ``LayoutMismatch`` where
    ///   its header fits no layout.
    /// - Complexity: O(*n*) in the file's bytes; memory for the trips and two windows.
    public static func read(_ request: ExportRequest) throws -> ExportReading {
        let source = try ByteSource(
            path: request.path,
            name: request.name,
            limits: request.limits
        )
        return try read(source, request)
    }

    static func read(_ source: ByteSource, _ request: ExportRequest) throws -> ExportReading {
        let reader = RecordReader(source, dialect: request.dialect, slicing: request.slicing)
        let header = try reader.readHeader()
        let plan = try RecordPlan.choose(
            among: request.layouts,
            header: header.names,
            shapeColumns: request.shapeColumns,
            costName: request.costName,
            refusesUnknownColumns: request.refusesUnknownColumns
        )
        var gathered = GatheredSlices(fileIndex: request.fileIndex, plan: plan)
        let scan = try reader.scan(
            fieldCount: header.names.count,
            makeSink: { TripSink(plan: plan, dialect: request.dialect) },
            deliver: { gathered.add($0) }
        )
        return gathered.reading(scan, layoutName: plan.layout.name)
    }
}

/// Numbers the contents of slices within their file and puts them one after the other.
private struct GatheredSlices {
    private let fileIndex: Int
    private let tripIDIndex: Int
    private var batches: [UnzonedBatch] = []
    private var rejects: [Reject] = []
    private var rejectTexts: [[UInt8]] = []
    private var read = LedgerAmount()
    private var syntheticTrips = 0

    init(fileIndex: Int, plan: RecordPlan) {
        self.fileIndex = fileIndex
        tripIDIndex = plan.fields[plan.tripIDField].shapeIndex
    }

    mutating func add(_ slice: ScannedSlice<TripSink>) {
        let builder = slice.sink.builder
        read += builder.read
        rejectTexts += builder.rejectTexts
        for reject in builder.rejects {
            rejects.append(
                Reject(
                    fileIndex: fileIndex,
                    recordNumber: slice.firstRecordNumber + reject.recordNumber,
                    lineNumber: slice.firstLineNumber + reject.lineNumber,
                    byteOffset: reject.byteOffset,
                    byteSize: reject.byteSize,
                    itemCount: reject.itemCount,
                    field: reject.field,
                    reason: reject.reason,
                    amountCents: reject.amountCents,
                    isUnpriced: reject.isUnpriced,
                    tripID: reject.tripID
                )
            )
        }
        guard builder.count > 0 else { return }
        let firstRecord = UInt32(truncatingIfNeeded: slice.firstRecordNumber)
        let firstLine = UInt32(truncatingIfNeeded: slice.firstLineNumber)
        let batch = TripBatch(
            fileIndex: fileIndex,
            columns: builder.columns(),
            recordNumbers: builder.recordIndexes.map { $0 + firstRecord },
            lineNumbers: builder.lineIndexes.map { $0 + firstLine }
        )
        syntheticTrips += Self.syntheticTrips(in: batch.columns[tripIDIndex].texts)
        batches.append(UnzonedBatch(batch: batch, openTimes: builder.openTimes))
    }

    private static func syntheticTrips(in column: TextColumn) -> Int {
        let mark = Array(ExportReader.syntheticMark.utf8)
        return column.codes.count { column.pool.slice($0).starts(with: mark) }
    }

    func reading(_ scan: FileScan, layoutName: String) -> ExportReading {
        ExportReading(
            batches: batches,
            rejects: rejects,
            rejectTexts: rejectTexts,
            read: read,
            counts: scan.counts,
            digest: scan.digest,
            layoutName: layoutName,
            syntheticTrips: syntheticTrips,
            tripCount: batches.reduce(0) { $0 + $1.batch.count }
        )
    }
}
