/// When a source last brought something, and from when on its next export is overdue.
///
/// The times say when runs took files in, not what is in the files: like the time of publication they
/// are no part of what can be computed again.
public struct SourceClock: Sendable, Hashable {
    /// The source's name in the pipeline.
    public let source: String
    /// How often it is expected, in the pipeline's word; nil where it never is.
    public let expects: String?
    /// When a run last took in a new file of it, as UTC text; nil where none ever came.
    public let lastArrivalAt: String?
    /// What the next export is awaited from, as UTC text; nil where none is expected.
    public let awaitedSince: String?
    /// From when on the next export is overdue, as UTC text; nil where none is expected.
    public let overdueAfter: String?

    /// Describes the clock of one source.
    ///
    /// - Parameters:
    ///   - source: The source's name in the pipeline.
    ///   - expects: How often it is expected.
    ///   - lastArrivalAt: When a run last took in a new file of it.
    ///   - awaitedSince: What the next export is awaited from.
    ///   - overdueAfter: From when on the next export is overdue.
    public init(
        source: String,
        expects: String?,
        lastArrivalAt: String?,
        awaitedSince: String?,
        overdueAfter: String?
    ) {
        self.source = source
        self.expects = expects
        self.lastArrivalAt = lastArrivalAt
        self.awaitedSince = awaitedSince
        self.overdueAfter = overdueAfter
    }
}
