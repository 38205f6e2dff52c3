/// The lifetimes of sessions, codes and tokens, in seconds.
public struct SessionLimits: Sendable {
    /// From a sign-in until its code must be redeemed; RFC 6749 allows ten minutes.
    public var code: Int64 = 60
    /// The lifetime of an access token, which limits what a stolen one is worth.
    public var accessToken: Int64 = 600
    /// The longest lifetime accepted for an external issuer's access token, whose withdrawal this
    /// server cannot know of.
    static let externalToken: Int64 = 900
    /// The time without a request after which a session is over: ten minutes, and thirty seconds in
    /// which a dashboard asks whether the user is still there.
    public var idle: Int64 = 630
    /// The longest duration of a session, whatever its use.
    public var session: Int64 = 12 * 3600
    /// The time in which a replaced refresh token may be used again, because several requests at
    /// once are not a theft.
    public var grace: Int64 = 20
    /// The time within which a change of a session by another process is noticed.
    public var cacheTime: Int64 = 5
    /// The time after which ended sessions are deleted.
    public var retention: Int64 = 30 * 24 * 3600

    /// The default lifetimes.
    public init() {}
}
