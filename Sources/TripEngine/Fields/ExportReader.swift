public import TripDomain

/// The location of a file and the declarations of its source, which it is read by.
public struct ExportRequest: Sendable {
    /// Where the bytes are.
    public var path: String
    /// The pipe that the bytes come through; nil where they are read from the path.
    public var stream: ExportStream?
    /// The file's path below the input folder.
    public var name: String
    /// The path that identifies the export, for trip ids that are source positions; the same when
    /// the file is sent again compressed.
    public var identity: String
    /// The file's index in the run's list, in order of exports.
    public var fileIndex: Int
    /// How its text is divided.
    public var dialect: CSVDialect
    /// The layouts it may have.
    public var layouts: [LayoutDefinition]
    /// The stored columns of all declared fields.
    public var shapeColumns: [ShapeColumn]
    /// The money field the ledger sums; nil where there is none, or where it is derived.
    public var costName: String?
    /// Derives the amounts that the ledger sums; nil where they are read from a field.
    public var derivedCost: DerivedCost?
    /// Whether a column no field uses is an error.
    public var refusesUnknownColumns: Bool
    /// How far a compressed file may expand.
    public var limits: ExpansionLimits
    /// How many records may be set aside.
    public var rejectLimits = RejectLimits()
    /// How the work is distributed.
    public var slicing: Slicing
    /// Which bytes are hashed.
    public var hashing = Hashing.all
    /// Memory for gzip members that are expanded at once: one for all files of a run.
    public var buffers = ExpansionBuffers()
    /// The last time that a pick-up may have; nil where any may.
    public var latestPickup: LatestTime?
    /// The number of physical lines before the header.
    public var preambleLines = 0
    /// Whether the header's names may differ from the declared ones in the case of letters.
    public var ignoresHeaderCase = false
    /// Whether records are built one by one even where they could be built in blocks.
    var buildsOneByOne = false

    /// Describes one file to read.
    ///
    /// - Parameters:
    ///   - path: Where the bytes are.
    ///   - name: The file's path below the input folder.
    ///   - fileIndex: The file's index in the run's list.
    ///   - dialect: How its text is divided.
    ///   - layouts: The layouts it may have.
    ///   - shapeColumns: The stored columns of all declared fields.
    ///   - costName: The money field the ledger sums.
    ///   - refusesUnknownColumns: Whether a column no field uses is an error.
    ///   - limits: How far a compressed file may expand.
    ///   - slicing: How the work is distributed.
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
        identity = name
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
///
/// Record and line numbers count from the slice's first, which is 0.
public struct UnzonedBatch: Sendable {
    /// The trips.
    public internal(set) var batch: TripBatch
    /// Per stored time column, the rows whose zone is not known yet.
    let openTimes: [Int: [TripBuilder.OpenTime]]
}

/// The caller's content for the trips of one slice, and where the slice begins in its file.
public struct ExportPart<Content: Sendable>: Sendable {
    /// The content that the caller made of the trips.
    public let content: Content
    /// The number of the record whose index in the slice is 0.
    public let firstRecordNumber: Int
    /// The number of the physical line whose index in the slice is 0.
    public let firstLineNumber: Int
    /// What makes the trip ids of their positions; nil where they are read from columns.
    public let positionIDs: SourcePositionIDs?
}

/// Everything known about a file except its trips.
public struct ExportSummary: Sendable {
    /// The rejects, in the order of the file.
    public var rejects: [Reject]
    /// Units that a record lists more than once, in the order of the file.
    public let repetitions: [RepeatedUnit]
    /// The amounts read, before any decision: the left side of the ledger.
    public let read: LedgerAmount
    /// The numbers of lines and records, by outcome.
    public let counts: ScanCounts
    /// Hashes and sizes.
    public let digest: SourceDigest
    /// The layout the header chose.
    public let layoutName: String
    /// The trips, by whether their ids carry the mark of generated data.
    public let tripOrigins: IDOrigins
    /// The rejects whose id could be read, in the same way.
    public let rejectOrigins: IDOrigins

    /// Describes a file that another process read.
    public init(
        rejects: [Reject],
        repetitions: [RepeatedUnit],
        read: LedgerAmount,
        counts: ScanCounts,
        digest: SourceDigest,
        layoutName: String,
        tripOrigins: IDOrigins,
        rejectOrigins: IDOrigins
    ) {
        self.rejects = rejects
        self.repetitions = repetitions
        self.read = read
        self.counts = counts
        self.digest = digest
        self.layoutName = layoutName
        self.tripOrigins = tripOrigins
        self.rejectOrigins = rejectOrigins
    }
}

/// Reads one export into typed trips, rejects and the left side of its ledger.
public enum ExportReader {
    /// Reads one export and delivers its trips slice by slice, without keeping any of them.
    ///
    /// - Parameters:
    ///   - request: The file and the declarations of its source.
    ///   - make: Makes the caller's content of a slice's trips; called on the threads that read,
    ///     several times at once, and for some slices twice.
    ///   - keepTexts: Receives the raw records of the rejects of a slice, one for each, in the
    ///     order of the file, on the calling thread. The reader keeps none: together they may be
    ///     as large as the file.
    ///   - deliver: Receives the contents in the order of the file, on the calling thread. Its
    ///     results may be used only when this function returns: until then the file can turn out
    ///     to be damaged.
    /// - Returns: Everything known about the file except its trips.
    /// - Throws: ``SourceFault`` where the file is unreadable or damaged, or has too many rejects;
    ///   ``LayoutMismatch`` where its header fits no layout; what `keepTexts` or `deliver` throws.
    /// - Complexity: O(*n*) in the file's bytes; memory for two windows and the slices of one, and
    ///   for each reject without its record.
    public static func read<Content: Sendable>(
        _ request: ExportRequest,
        make: @escaping @Sendable (UnzonedBatch) -> Content,
        keepTexts: ([[UInt8]]) throws -> Void = { _ in },
        deliver: (ExportPart<Content>) throws -> Void
    ) throws -> ExportSummary {
        guard let stream = request.stream else {
            let source = try ByteSource(
                path: request.path,
                name: request.name,
                limits: request.limits,
                hashing: request.hashing,
                buffers: request.buffers
            )
            return try read(source, request, make: make, keepTexts: keepTexts, deliver: deliver)
        }
        let source = try ByteSource(
            stream: stream,
            name: request.name,
            limits: request.limits,
            hashing: request.hashing,
            buffers: request.buffers
        )
        do {
            return try read(source, request, make: make, keepTexts: keepTexts, deliver: deliver)
        } catch let fault as SourceFault where fault.code == .changedWhileRead {
            throw fault
        } catch  where error is SourceFault || error is LayoutMismatch {
            try stream.drain(name: request.name, after: source.deliveredSize)
            throw error
        }
    }

    static func read<Content: Sendable>(
        _ source: ByteSource,
        _ request: ExportRequest,
        make: @escaping @Sendable (UnzonedBatch) -> Content,
        keepTexts: ([[UInt8]]) throws -> Void = { _ in },
        deliver: (ExportPart<Content>) throws -> Void
    ) throws -> ExportSummary {
        let reader = RecordReader(source, dialect: request.dialect, slicing: request.slicing)
        let header = try reader.readHeader(preambleLines: request.preambleLines)
        let bound = try plan(for: header, request)
        var gathered = GatheredSlices(request, bound.positionIDs)
        let scan = try reader.scan(
            fieldCount: header.names.count,
            makeSink: { TripSink(plan: bound, request: request, make: make) },
            deliver: { (slice: ScannedSlice<TripSink<Content>>) in
                let texts = try gathered.add(slice)
                if !texts.isEmpty { try keepTexts(texts) }
                guard let content = slice.sink.output?.content else { return }
                try deliver(
                    ExportPart(
                        content: content,
                        firstRecordNumber: slice.firstRecordNumber,
                        firstLineNumber: slice.firstLineNumber,
                        positionIDs: bound.positionIDs
                    )
                )
            }
        )
        return gathered.summary(scan, layoutName: bound.layout.name)
    }
}

extension ExportReader {
    /// The layout that fits a header, bound to it.
    static func plan(
        for header: ExportHeader,
        _ request: ExportRequest
    ) throws(LayoutMismatch) -> RecordPlan {
        do throws(LayoutMismatch) {
            var plan = try RecordPlan.choose(
                among: request.layouts,
                header: request.ignoresHeaderCase
                    ? RecordPlan.declaredNames(header.names, among: request.layouts) : header.names,
                shapeColumns: request.shapeColumns,
                costName: request.costName,
                refusesUnknownColumns: request.refusesUnknownColumns
            )
            plan.latestPickup = request.latestPickup
            return plan.bound(toPath: request.identity)
        } catch {
            var mismatch = error
            mismatch.delimiter = request.dialect.delimiter
            throw mismatch
        }
    }
}

/// Joins the outputs of all slices except their trips, and numbers rejects within the file.
private struct GatheredSlices {
    private let fileIndex: Int
    private let name: String
    private let positionIDs: SourcePositionIDs?
    private var setAside: RejectList
    private var repetitions: [RepeatedUnit] = []
    private var repetitionCount = 0
    private var read = LedgerAmount()
    private var tripOrigins = IDOrigins()
    private var rejectOrigins = IDOrigins()

    init(_ request: ExportRequest, _ positionIDs: SourcePositionIDs?) {
        self.positionIDs = positionIDs
        fileIndex = request.fileIndex
        name = request.name
        setAside = RejectList(request.rejectLimits)
    }

    /// Adds the next slice of the file.
    ///
    /// - Returns: The raw records of its rejects.
    /// - Throws: ``SourceFault`` `tooManyRejects` where the file has more rejects than it may have.
    mutating func add<Content>(
        _ slice: ScannedSlice<TripSink<Content>>
    ) throws(SourceFault) -> [[UInt8]] {
        guard let output = slice.sink.output else {
            preconditionFailure("a slice is finished before it is delivered")
        }
        read += output.read
        tripOrigins += output.tripOrigins
        rejectOrigins += output.rejectOrigins
        for (reject, text) in zip(output.setAside.rejects, output.setAside.texts) {
            setAside.append(
                reject.raised(
                    records: slice.firstRecordNumber,
                    lines: slice.firstLineNumber,
                    fileIndex: fileIndex,
                    positionIDs
                ),
                text: text
            )
        }
        repetitions += output.repetitions.map {
            $0.raised(
                records: slice.firstRecordNumber,
                lines: slice.firstLineNumber,
                positionIDs
            )
        }
        repetitionCount += output.repetitions.reduce(0) { $0 + $1.count }
        // The limits are those of the file, so that they do not depend on how it is cut.
        guard !setAside.isOver else { throw setAside.fault(name) }
        guard repetitionCount <= setAside.limits.countMax else { throw tooManyRepetitions }
        return setAside.takeTexts()
    }

    private var tooManyRepetitions: SourceFault {
        SourceFault(
            code: .tooManyRejects,
            position: SourcePosition(file: name),
            finding: "lists units more than once more often than a file may have rejects "
                + "(\(setAside.limits.countMax)), first at line \(repetitions[0].lineNumber)",
            remedy: "Check the separator in `split`. If so many are meant, raise `limits: "
                + "{rejects: …}` of the source."
        )
    }

    func summary(_ scan: FileScan, layoutName: String) -> ExportSummary {
        ExportSummary(
            rejects: setAside.rejects,
            repetitions: repetitions,
            read: read,
            counts: scan.counts,
            digest: scan.digest,
            layoutName: layoutName,
            tripOrigins: tripOrigins,
            rejectOrigins: rejectOrigins
        )
    }
}

extension Reject {
    /// The same with its numbers counted from the file's first record and line.
    ///
    /// - Parameters:
    ///   - records: The number of the record whose index in the slice is 0.
    ///   - lines: The number of the physical line whose index in the slice is 0.
    ///   - fileIndex: The file's index.
    ///   - positionIDs: What makes the trip ids of their positions, where they are.
    /// - Returns: The reject.
    func raised(
        records: Int,
        lines: Int,
        fileIndex: Int,
        _ positionIDs: SourcePositionIDs? = nil
    ) -> Reject {
        let tripID = positionIDs.map {
            $0.id(rejectedRecord: records + recordNumber, unit: self.tripID)
        }
        return Reject(
            fileIndex: fileIndex,
            recordNumber: records + recordNumber,
            lineNumber: lines + lineNumber,
            byteOffset: byteOffset,
            byteSize: byteSize,
            itemCount: itemCount,
            field: field,
            reason: reason,
            amountCents: amountCents,
            isUnpriced: isUnpriced,
            tripID: tripID ?? self.tripID
        )
    }
}
