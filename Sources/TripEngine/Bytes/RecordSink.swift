internal import TripDomain

/// Where a record stands.
///
/// Numbers are relative to its slice until slices are joined.
struct RecordPlace: Hashable {
    /// How many records, rejected ones included, precede it in the slice.
    let recordIndex: Int
    /// How many physical lines precede it in the slice.
    let lineIndex: Int
    /// How many physical lines it spans.
    let lineCount: Int
    /// Its first byte's offset in the expanded file.
    let byteOffset: Int
    /// Its size without its line end.
    let byteSize: Int
}

/// What takes in the records of one slice.
///
/// The scanner is generic over it and compiled together with it, so that a call per record costs
/// nothing. Each slice has a sink of its own, filled by one thread; a slice that turns out to have
/// begun in the middle of a record is scanned again with a new one, and its first sink is dropped.
/// A sink therefore has no effect outside itself.
protocol RecordSink {
    /// Takes a record that reads as the dialect demands and has the header's number of fields.
    ///
    /// - Parameters:
    ///   - fields: Its fields; valid during the call alone.
    ///   - base: What the fields' positions count from; valid, with ``ScanText/paddingSize`` bytes
    ///     behind the last field, until ``finish()`` has returned.
    ///   - place: Where it stands.
    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at place: RecordPlace
    )

    /// Takes a line, or a record, that was set aside.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - text: Its bytes as delivered; the first ``RecordRules/rejectTextSizeMax`` of it alone
    ///     where it is longer than a record may be. Valid during the call alone.
    ///   - place: Where it stands.
    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    )

    /// Told, on the thread that scanned the slice, that nothing more comes.
    mutating func finish()
}

extension RecordSink {
    mutating func finish() {}
}

/// What a scan counted.
///
/// Every physical line is in exactly one of the first four.
public struct ScanCounts: Sendable, Hashable {
    /// Physical lines of the header.
    public internal(set) var headerLines = 0
    /// Physical lines of records handed on.
    public internal(set) var recordLines = 0
    /// Physical lines set aside.
    public internal(set) var rejectedLines = 0
    /// Physical lines without a byte.
    public internal(set) var blankLines = 0
    /// Records handed on.
    public internal(set) var records = 0
    /// Rejects handed on.
    public internal(set) var rejects = 0
    /// Bytes looked at while searching for records, those looked at again included.
    ///
    /// A measure of work that does not depend on the machine.
    public internal(set) var visitedBytes = 0

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

/// A sink that keeps nothing: for finding out where records start.
struct NullSink: RecordSink {
    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at place: RecordPlace
    ) {}

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at place: RecordPlace
    ) {}
}
