/// One file that was ever taken in, as a generation records it.
public struct SourceFileEntry: Sendable, Hashable {
    /// What became of the file as a whole.
    public enum Status: String, Sendable {
        /// Its records are in force.
        case current
        /// A later content of the same path, or a later file of the same period, replaced it.
        case withdrawn
    }

    /// The source of the pipeline it belongs to.
    public let source: String
    /// Its path below the input folder, as first seen.
    public let path: String
    /// The content's number among all contents of the same path, from 1.
    public let sequence: Int
    /// SHA-256 of the expanded content, lower-case hexadecimal.
    public let contentHash: String
    /// SHA-256 of the bytes as delivered: its name in the archive.
    public let archiveHash: String
    /// Size of the bytes as delivered.
    public let archiveSize: Int64
    /// Size of the expanded content.
    public let expandedSize: Int64
    /// The text by which the exports of one source are ordered.
    public let orderKey: String
    /// The period it covers, where the source replaces by period; empty otherwise.
    public let period: String
    /// The layout its header chose; empty where the source has one layout alone.
    public let layout: String
    /// Data records in it, rejected ones included.
    public let recordCount: Int64
    /// Physical lines in it.
    public let lineCount: Int64
    /// Blank lines in it.
    public let blankLineCount: Int64
    /// Whether its records are in force.
    public let status: Status
    /// The account of its items.
    public let ledger: Ledger
    /// The day a run first took it in, on the pipeline's clock; nil where an older version did.
    ///
    /// Its pick-ups are judged by this day in every later run, so that the same file always gives
    /// the same trips.
    public var takenIn: CivilDate?

    /// Describes one file.
    public init(
        source: String,
        path: String,
        sequence: Int,
        contentHash: String,
        archiveHash: String,
        archiveSize: Int64,
        expandedSize: Int64,
        orderKey: String,
        period: String,
        layout: String,
        recordCount: Int64,
        lineCount: Int64,
        blankLineCount: Int64,
        status: Status,
        ledger: Ledger
    ) {
        self.source = source
        self.path = path
        self.sequence = sequence
        self.contentHash = contentHash
        self.archiveHash = archiveHash
        self.archiveSize = archiveSize
        self.expandedSize = expandedSize
        self.orderKey = orderKey
        self.period = period
        self.layout = layout
        self.recordCount = recordCount
        self.lineCount = lineCount
        self.blankLineCount = blankLineCount
        self.status = status
        self.ledger = ledger
    }
}
