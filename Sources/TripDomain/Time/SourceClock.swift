/// When a source last delivered a file, and when its next export is overdue.
///
/// The times are those at which runs took files in. Like the time of publication, they cannot be
/// computed again from the files.
public struct SourceClock: Sendable, Hashable {
    /// The source's name in the pipeline.
    public let source: String
    /// How often an export is expected, in the pipeline's word; nil where none is.
    public let expects: String?
    /// When a run last took in a new file of the source, as UTC text; nil where none ever came.
    public let lastArrivalAt: String?
    /// The time from which the next export is awaited, as UTC text; nil where none is expected.
    public let awaitedSince: String?
    /// The time after which the next export is overdue, as UTC text; nil where none is expected.
    public let overdueAfter: String?

    /// Describes the clock of one source.
    ///
    /// - Parameters:
    ///   - source: The source's name in the pipeline.
    ///   - expects: How often an export is expected.
    ///   - lastArrivalAt: When a run last took in a new file of the source.
    ///   - awaitedSince: The time from which the next export is awaited.
    ///   - overdueAfter: The time after which the next export is overdue.
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
