import Logging
import Synchronization

/// Counts the connections that came to nothing, and has the log say so.
///
/// Many failed handshakes at once say that something is wrong with the certificate or with who asks: a client that trusts
/// another certificate, or knows older versions alone, looks the same here as one that tries what may be tried.
final class ConnectionTally: Sendable {
    private let handshakes = Atomic(0)
    private let newcomers = Atomic(0)
    private let refusals: RefusalLog

    /// - Parameter logger: Where it says so.
    init(logger: Logger) { refusals = RefusalLog(logger) }

    /// How many handshakes of TLS failed since the server began.
    var failedHandshakeCount: Int { handshakes.load(ordering: .relaxed) }

    /// How many connections were closed unread since the server began.
    var turnedAwayCount: Int { newcomers.load(ordering: .relaxed) }

    /// Counts a handshake that failed.
    func noteFailedHandshake() {
        handshakes.add(1, ordering: .relaxed)
        refusals.note(.failedHandshake)
    }

    /// Counts connections that were closed unread.
    func noteTurnedAway(_ count: Int) {
        guard count > 0 else { return }
        newcomers.add(count, ordering: .relaxed)
        refusals.note(.turnedAway, count)
    }
}
