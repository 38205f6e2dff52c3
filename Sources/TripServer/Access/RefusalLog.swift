import Hummingbird
import Logging
import Synchronization
import TripIdentity

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

/// Records the accounts that ask for what no role or region of theirs allows: a search through
/// trips leaves a trace.
///
/// A trip that does not exist is refused like one of another region, and recorded like it; so is a
/// region that occurs nowhere where an account of some regions asks for it. Each account and route
/// is recorded once a minute, so that no account fills the record.
struct RefusalNotes: RouterMiddleware {
    let record: AccessRecord
    /// Now, in seconds of UTC.
    let now: @Sendable () -> Int64
    /// One entry of a kind in a minute.
    private let limiter = RateLimiter<Kind>(1, per: 60)

    /// Which refusals count as one.
    private struct Kind: Hashable {
        let account: Int64
        let route: String
        let code: String
    }

    init(record: AccessRecord, now: @escaping @Sendable () -> Int64) {
        (self.record, self.now) = (record, now)
    }

    private static let codes: Set = [Problem.forbidden.code, Problem.noSuchTrip.code]
    /// What is noted where the region is not the caller's: the answer's code says less.
    static let otherRegion = "other_region"

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            let route = context.route?.template ?? "other"
            if let code = Self.code(of: problem), let account = context.caller.session?.account.id,
                limiter.allows(Kind(account: account, route: route, code: code), at: now())
            {
                // Not waited for: it is refused all the same.
                record.addLater(
                    AccessEntry(
                        .refused,
                        at: now(),
                        account: account,
                        subject: route,
                        detail: code
                    )
                )
            }
            throw problem
        }
    }

    /// What a problem is noted as; nil where it is none of those, or a fault of the server's.
    private static func code(of problem: Problem) -> String? {
        guard problem.fault == nil else { return nil }
        if problem.isOfOtherRegion { return otherRegion }
        return codes.contains(problem.code) ? problem.code : nil
    }
}
