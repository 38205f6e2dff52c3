import Logging
import Synchronization

/// Logs refusals that any client may cause as often as it likes: one line of a kind in a minute,
/// with the number since the line before.
///
/// A line has the template of the route and nothing of what was sent.
final class RefusalLog: Sendable {
    /// What happened, in the words of the log.
    enum Kind: String, Sendable {
        /// Sign-ins or reveals come faster than a person types or reads.
        case rateLimited = "rate limit exceeded"
        /// A browser says that a page of another site sent it.
        case crossSiteForm = "a form of another site was refused"
        /// It came to no connection.
        case failedHandshake = "a TLS handshake failed"
        /// More requests come than can be answered in time.
        case overloaded = "overload: requests are answered with 503"
    }

    /// What is counted together.
    private struct Line: Hashable {
        let kind: Kind
        let route: String?
    }

    private let logger: Logger
    private let limiter = RateLimiter<Line>(1, per: 60)
    /// How many there were since a line was logged.
    private let state = Mutex<[Line: Int]>([:])

    /// - Parameter logger: The log.
    init(_ logger: Logger) { self.logger = logger }

    /// Counts one, and logs a line where that is due.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - route: The template of the route it happened at; nil where there is none.
    ///   - now: The time, in seconds since the machine's start.
    func note(_ kind: Kind, at route: String? = nil, now: Int64 = Uptime.seconds) {
        let line = Line(kind: kind, route: route)
        let isDue = limiter.allows(line, at: now)
        let count = state.withLock { counts in
            let count = counts[line, default: 0] + 1
            counts[line] = isDue ? 0 : count
            return count
        }
        guard isDue else { return }
        var metadata: Logger.Metadata = ["count": "\(count)"]
        if let route { metadata["route"] = "\(route)" }
        logger.notice("\(kind.rawValue)", metadata: metadata)
    }
}
