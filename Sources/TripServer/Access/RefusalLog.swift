import Logging
import NIOCore
import Synchronization

/// Says in the log what anybody may bring about as often as they like: one line of a kind in a minute, with how many there
/// were since the line before.
///
/// A line has the template of the route and nothing of what was sent.
final class RefusalLog: Sendable {
    /// What happened, in the words of the log.
    enum Kind: String, Sendable {
        /// Tries to sign in, or reveals, come faster than somebody types or looks.
        case tooFast = "somebody is slowed down"
        /// A browser says that a page of elsewhere sent it.
        case foreignForm = "a form of another site was refused"
        /// It came to no connection.
        case failedHandshake = "a TLS handshake failed"
        /// More come than can be answered.
        case turnedAway = "connections are turned away"
    }

    /// What is counted together.
    private struct Line: Hashable {
        let kind: Kind
        let route: String?
    }

    /// When a line was said last, and how many there were since.
    private struct Count {
        var saidAt: Int64
        var unsaidCount = 0
    }

    private let logger: Logger
    private let state = Mutex<[Line: Count]>([:])

    /// Seconds in which a line is said once.
    static let interval: Int64 = 60

    /// - Parameter logger: The log.
    init(_ logger: Logger) { self.logger = logger }

    /// Counts one or more, and says so where that is due.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - count: How often.
    ///   - route: The template of the route it happened at; nil where there is none.
    ///   - now: The time, in seconds since the machine's start, which nobody sets back.
    func note(
        _ kind: Kind,
        _ count: Int = 1,
        at route: String? = nil,
        now: Int64 = Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
    ) {
        let line = Line(kind: kind, route: route)
        let count = state.withLock { known -> Int? in
            if let last = known[line], now - last.saidAt < Self.interval {
                known[line]?.unsaidCount += count
                return nil
            }
            let count = (known[line]?.unsaidCount ?? 0) + count
            known[line] = Count(saidAt: now)
            return count
        }
        guard let count else { return }
        var metadata: Logger.Metadata = ["count": "\(count)"]
        if let route { metadata["route"] = "\(route)" }
        logger.notice("\(kind.rawValue)", metadata: metadata)
    }
}
