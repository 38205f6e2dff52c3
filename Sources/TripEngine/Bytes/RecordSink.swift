internal import TripDomain

/// The position of a record.
///
/// Numbers are relative to its slice until slices are joined.
struct RecordPosition: Hashable {
    /// The number of records, rejected ones included, that precede it in the slice.
    let recordIndex: Int
    /// The number of physical lines that precede it in the slice.
    let lineIndex: Int
    /// The number of physical lines it spans.
    let lineCount: Int
    /// Its first byte's offset in the expanded file.
    let byteOffset: Int
    /// Its size without its line end.
    let byteSize: Int
}

/// A receiver of the records of one slice.
///
/// The scanner is generic over it and compiled together with it, so that a call per record costs
/// nothing. Each slice has a sink of its own, filled by one thread. A slice that turns out to have
/// begun in the middle of a record is scanned again with a new sink, and its first sink is dropped.
/// A sink must therefore have no effect outside itself.
protocol RecordSink {
    /// Receives a record that follows the dialect and has the header's number of fields.
    ///
    /// - Parameters:
    ///   - fields: Its fields; valid only during the call.
    ///   - base: The base address of the fields; valid, with ``ScanText/paddingSize`` bytes after
    ///     the last field, until ``finish()`` has returned.
    ///   - position: The position of the record.
    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    )

    /// Receives a line, or a record, that was set aside.
    ///
    /// - Parameters:
    ///   - reason: Why it was set aside.
    ///   - text: Its bytes as delivered; only the first ``RecordRules/rejectTextSizeMax`` of them
    ///     where it is longer than a record may be. Valid only during the call.
    ///   - position: The position of the line or record.
    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    )

    /// Called after the last record of the slice, on the thread that scanned it.
    mutating func finish()
}

extension RecordSink {
    mutating func finish() {}
}

/// The counts of a scan.
///
/// Every physical line is in exactly one of the first four.
public struct ScanCounts: Sendable, Hashable {
    /// Physical lines of the header.
    public internal(set) var headerLines = 0
    /// Physical lines of accepted records.
    public internal(set) var recordLines = 0
    /// Physical lines set aside.
    public internal(set) var rejectedLines = 0
    /// Physical lines without a byte.
    public internal(set) var blankLines = 0
    /// Accepted records.
    public internal(set) var records = 0
    /// Rejects.
    public internal(set) var rejects = 0
    /// Bytes read while searching for records, those read again included.
    ///
    /// It measures work independently of the machine.
    public internal(set) var visitedBytes = 0

    /// No lines.
    init() {}

    /// Describes a file that another process read.
    ///
    /// - Parameters:
    ///   - lines: All physical lines.
    ///   - blankLines: Those without a byte.
    ///   - records: Accepted records.
    ///   - rejects: Rejects.
    public init(lines: Int, blankLines: Int, records: Int, rejects: Int) {
        recordLines = lines - blankLines
        (self.blankLines, self.records, self.rejects) = (blankLines, records, rejects)
    }

    /// All physical lines.
    public var physicalLines: Int { headerLines + recordLines + rejectedLines + blankLines }

    /// Adds the counts of another slice.
    static func += (left: inout ScanCounts, right: ScanCounts) {
        left.headerLines += right.headerLines
        left.recordLines += right.recordLines
        left.rejectedLines += right.rejectedLines
        left.blankLines += right.blankLines
        left.records += right.records
        left.rejects += right.rejects
        left.visitedBytes += right.visitedBytes
    }
}

/// A sink that keeps nothing, for scans that only find record starts.
struct NullSink: RecordSink {
    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    ) {}

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {}
}
