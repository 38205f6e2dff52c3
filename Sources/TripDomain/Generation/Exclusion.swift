/// One content of one file that a rollback left out.
///
/// Nightly runs leave it out as well, until the operator asks for it.
public struct Exclusion: Sendable, Hashable {
    /// What kind of file is left out.
    public enum Kind: String, Sendable, CaseIterable {
        /// An export.
        case file
        /// A file of the pipeline folder.
        case pipeline
        /// A reference file.
        case reference
    }

    /// What kind of file is left out.
    public let kind: Kind
    /// The source of an export; empty for others.
    public let source: String
    /// The path of the file below its folder.
    public let path: String
    /// SHA-256 of its content; of an export, SHA-256 of the expanded content.
    public let contentHash: String
    /// SHA-256 of its bytes in the archive; equal to the content hash where it is not an export.
    public let archiveHash: String
    /// Of an export, its number among all contents of the same path in the generation that was
    /// rolled back.
    public var sequence: Int
    /// Of an export, the last number among the contents of the path in the generation that the
    /// rollback restored.
    ///
    /// 0 where that generation has none. A content with a greater number is a corrected one.
    public var after: Int
    /// The generation it was part of when it was left out.
    public let generation: Int

    /// Describes one content of one file.
    public init(
        kind: Kind,
        source: String,
        path: String,
        contentHash: String,
        archiveHash: String,
        sequence: Int = 0,
        after: Int = 0,
        generation: Int
    ) {
        self.kind = kind
        self.source = source
        self.path = path
        self.contentHash = contentHash
        self.archiveHash = archiveHash
        self.sequence = sequence
        self.after = after
        self.generation = generation
    }
}
