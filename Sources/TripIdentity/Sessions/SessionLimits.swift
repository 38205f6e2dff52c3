/// How long things are good for, in seconds.
public struct SessionLimits: Sendable {
    /// From a sign-in to the moment its code is handed in; RFC 6749 allows ten minutes.
    public var code: Int64 = 60
    /// An access token: what whoever steals one has at most.
    public var accessToken: Int64 = 600
    /// An access token of another issuer, which cannot be told apart from one that was taken back.
    static let foreignToken: Int64 = 900
    /// Without a request, after which a session is over: ten minutes, and thirty seconds in which a dashboard asks whether
    /// somebody still sits there.
    public var idle: Int64 = 630
    /// From its start, whatever happens.
    public var session: Int64 = 12 * 3600
    /// After a refresh token was replaced, in which it may come again: requests that cross each other are no theft.
    public var grace: Int64 = 20
    /// In which what another process changed of a session is noticed.
    public var notice: Int64 = 5
    /// After which what is over is forgotten.
    public var memory: Int64 = 30 * 24 * 3600

    /// The usual ones.
    public init() {}
}
