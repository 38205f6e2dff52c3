/// Why a record or a trip was set aside.
///
/// Each has its paragraph in `docs/REJECTS.md`.
public enum RejectReason: String, Sendable, CaseIterable {
    /// More fields than the header has.
    case tooManyFields = "too_many_fields"
    /// Fewer fields than the header has.
    case tooFewFields = "too_few_fields"
    /// A quote inside an unquoted field, or text after a closing quote.
    case strayQuote = "stray_quote"
    /// A quote that no line within the limits closes.
    case unclosedQuote = "unclosed_quote"
    /// A record longer than the limit, or of more lines than the limit.
    case recordTooLong = "record_too_long"
    /// Bytes that are not text in the declared encoding.
    case invalidEncoding = "invalid_encoding"
    /// A NUL byte.
    case nulByte = "nul_byte"
    /// The header once more, inside the file.
    case repeatedHeader = "repeated_header"
    /// A required field that is blank.
    case missingValue = "missing_value"
    /// Text that does not read as the declared type.
    case wrongType = "wrong_type"
    /// Text that does not have the declared pattern.
    case wrongPattern = "wrong_pattern"
    /// A value outside the declared range.
    case outOfRange = "out_of_range"
    /// A value the declared value map does not list.
    case unknownValue = "unknown_value"
    /// A record that lists no unit, where the pipeline says that it is skipped.
    case noUnit = "no_unit"
    /// A line of a claim without the base line that it belongs to.
    case orphanLine = "orphan_line"
    /// A trip whose region or trip type is the reserved word `all`.
    case reservedWord = "reserved_word"
}

/// A record, or one trip of a record, set aside with its reason.
///
/// It names positions and never holds content.
public struct Reject: Sendable, Hashable {
    /// The index of the file in the run's list of files, in order of exports.
    public var fileIndex: Int
    /// The record, from 1.
    public let recordNumber: Int
    /// The physical line the record starts on, from 1.
    public let lineNumber: Int
    /// The offset of the record's first byte in the expanded file, from 0.
    public let byteOffset: Int
    /// The record's size in bytes, without its line end.
    public let byteSize: Int
    /// The number of ledger items it counts as; at least 1.
    public let itemCount: Int
    /// The field that failed, by its name in the pipeline; nil when the record as a whole did.
    public let field: String?
    /// Why it was set aside.
    public let reason: RejectReason
    /// The amount in cents; nil where it is blank or unreadable.
    public var amountCents: Int64?
    /// Whether the amount could not be read; a blank one counts as readable and not known.
    public var isUnpriced: Bool
    /// The trip id, where it could be read and a valid version of the trip is known.
    ///
    /// Any other id is dropped, since the id column of a broken record may hold a patient's
    /// identifier.
    public var tripID: String?
    /// Whether it comes after all valid versions of its trip, and so would have corrected it.
    public var isCorrection = false

    /// Describes one reject.
    public init(
        fileIndex: Int,
        recordNumber: Int,
        lineNumber: Int,
        byteOffset: Int,
        byteSize: Int,
        itemCount: Int,
        field: String?,
        reason: RejectReason,
        amountCents: Int64?,
        isUnpriced: Bool,
        tripID: String?
    ) {
        self.fileIndex = fileIndex
        self.recordNumber = recordNumber
        self.lineNumber = lineNumber
        self.byteOffset = byteOffset
        self.byteSize = byteSize
        self.itemCount = itemCount
        self.field = field
        self.reason = reason
        self.amountCents = amountCents
        self.isUnpriced = isUnpriced
        self.tripID = tripID
    }
}
