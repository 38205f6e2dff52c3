/// Something that a rollback left behind, and that nights leave out until somebody asks for it.
public struct Hold: Sendable, Hashable {
    /// What is held.
    public enum Kind: String, Sendable, CaseIterable {
        /// An export.
        case file
        /// A file of the pipeline folder.
        case pipeline
        /// A reference file.
        case reference
    }

    /// What is held.
    public let kind: Kind
    /// The source of an export; empty for others.
    public let source: String
    /// The path of the file below its folder.
    public let path: String
    /// SHA-256 of its content; of an export, expanded.
    public let contentHash: String
    /// SHA-256 of its bytes as they are kept in the archive; that of the content where it is no export.
    public let archiveHash: String
    /// Of an export, its place among all contents of the same path in the generation that was left.
    public var sequence: Int
    /// Of an export, the last place among the contents of the path in the generation gone back to.
    ///
    /// 0 where it has none. A content that counts behind it is a mended one.
    public var after: Int
    /// The generation it was part of when it was left behind.
    public let generation: Int

    /// Holds one content of one file.
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
