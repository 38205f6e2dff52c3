/// A session that goes on, as its owner sees it.
public struct OpenSession: Sendable, Hashable {
    /// What its owner ends it by: a mark made with the server's secret, since its name stands in tokens.
    public let handle: String
    /// The client it belongs to.
    public let clientID: String
    /// When it began, in seconds of UTC.
    public let startedAt: Int64
    /// When it was used last, as far as this process knows.
    public let lastUsedAt: Int64
}
