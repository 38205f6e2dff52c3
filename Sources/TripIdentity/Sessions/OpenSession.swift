/// An open session, as its owner sees it.
public struct OpenSession: Sendable, Hashable {
    /// The handle with which its owner ends it: a keyed hash, because the session's id is in
    /// tokens.
    public let handle: String
    /// The client it belongs to.
    public let clientID: String
    /// When it began, in seconds of UTC.
    public let startedAt: Int64
    /// When it was used last, as far as this process knows.
    public let lastUsedAt: Int64
}
