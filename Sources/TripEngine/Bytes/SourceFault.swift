public import TripDomain

/// Why a whole file was refused.
///
/// A bad record is not a fault of the file: it is a reject.
///
/// Texts name positions, sizes and expectations, never content of the file.
public struct SourceFault: Error, Sendable, Hashable {
    /// The stable word for each cause; what tests and callers switch on.
    public enum Code: String, Sendable, CaseIterable {
        /// The file could not be opened.
        case cannotOpen = "cannot_open"
        /// The system opens no more files; the file itself is not at fault.
        case noDescriptors = "no_descriptors"
        /// The file could not be read to its end.
        case cannotRead = "cannot_read"
        /// The path names a folder, a pipe or a device.
        case notRegularFile = "not_a_regular_file"
        /// The file was written to while it was read.
        case changedWhileRead = "changed_while_read"
        /// The name ends in `.gz`, the content is something else.
        case notGzip = "not_gzip"
        /// A gzip member's header does not follow RFC 1952.
        case gzipHeader = "gzip_header"
        /// The file ends inside a gzip member.
        case gzipTruncated = "gzip_truncated"
        /// Compressed data, check value or size of a gzip member are wrong.
        case gzipDamaged = "gzip_damaged"
        /// Something other than zeros follows the last gzip member.
        case gzipTrailingBytes = "gzip_trailing_bytes"
        /// The expanded content passes the limit on size or on ratio.
        case expandsTooFar = "expands_too_far"
        /// More records are set aside than one file may have.
        case tooManyRejects = "too_many_rejects"
        /// The content is an archive, a workbook, a page: no delimited text.
        case otherKind = "other_kind"
        /// The content has no bytes.
        case empty = "empty"
        /// A byte order mark, or zero bytes, show another encoding than the declared one.
        case encodingNotDeclared = "encoding_not_declared"
        /// The lines end otherwise than declared.
        case lineEndsNotDeclared = "line_ends_not_declared"
        /// The header does not read as one record.
        case headerUnreadable = "header_unreadable"
    }

    /// What is wrong, as a stable word.
    public let code: Code
    /// The file and the byte.
    ///
    /// Gzip faults count bytes as delivered, all others expanded bytes.
    public let position: SourcePosition
    /// The gzip member the fault lies in, from 1; 0 where the file is not gzip.
    public let memberNumber: Int
    /// What was found and what was expected, as the rest of a sentence whose subject is the file.
    public let finding: String
    /// What the operator should do next.
    public let remedy: String

    /// Whether the file is at fault, so that it may be refused and the run go on without it.
    public var isOfFile: Bool { code != .noDescriptors }

    /// Describes one fault.
    ///
    /// - Parameters:
    ///   - code: What is wrong, as a stable word.
    ///   - position: The file and the byte.
    ///   - memberNumber: The gzip member, from 1; 0 where the file is not gzip.
    ///   - finding: What was found and what was expected.
    ///   - remedy: What the operator should do next.
    public init(
        code: Code,
        position: SourcePosition,
        memberNumber: Int = 0,
        finding: String,
        remedy: String
    ) {
        self.code = code
        self.position = position
        self.memberNumber = memberNumber
        self.finding = finding
        self.remedy = remedy
    }
}

/// How far a compressed file may expand.
///
/// The limits are checked during the expansion, not afterwards.
public struct ExpansionLimits: Sendable, Hashable {
    /// The greatest expanded size, in bytes.
    public var expandedSizeMax: Int
    /// The greatest expanded size for one compressed byte.
    ///
    /// Exports of trips expand 3 to 20 times; deflate reaches 1,032 times at most.
    public var ratioMax: Int
    /// The expanded size below which the ratio is not checked, in bytes.
    ///
    /// A small file of equal records may compress very well and do no harm.
    public var ratioFloorSize: Int

    /// No limits, for bytes that were checked when they were taken in and are known by their hash.
    public static let none = ExpansionLimits(
        expandedSizeMax: 1 << 60,
        // Deflate reaches 1,032.
        ratioMax: 2_000,
        ratioFloorSize: 1 << 60
    )

    /// Makes limits; the defaults suit exports of any size an agency sends.
    ///
    /// - Parameters:
    ///   - expandedSizeMax: The greatest expanded size, in bytes.
    ///   - ratioMax: The greatest expanded size for one compressed byte.
    ///   - ratioFloorSize: The expanded size below which the ratio is not checked.
    public init(
        expandedSizeMax: Int = 1 << 38,
        ratioMax: Int = 200,
        ratioFloorSize: Int = 16 << 20
    ) {
        self.expandedSizeMax = expandedSizeMax
        self.ratioMax = ratioMax
        self.ratioFloorSize = ratioFloorSize
    }
}
