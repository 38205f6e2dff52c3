import NIOCore

/// Whether so many come that those who are answered have left, and who of them is still worth answering.
///
/// A queue that serves everybody in turn serves nobody then: each has left when their turn comes, and gets a handshake
/// nevertheless. Such a queue is known by who stands at its head, whatever its length: a crowd that waits is served, one that
/// leaves is not waited for. While it lasts whoever waited too long is turned away at once, as by controlled delay (RFC 8289),
/// so that the others are in time.
struct Crowding {
    /// What somebody may wait then: of 1.2 s, so that the rest is enough for a handshake and an answer.
    private static let limit = TimeAmount.milliseconds(250)
    /// After how long without a queue it is over.
    private static let calm = TimeAmount.seconds(1)
    /// Of how many at the head of the queue it is judged.
    private static let sampleCount = 32

    private(set) var isCrowded = false
    /// Whether some were left waiting at the end of the last turn.
    private var isQueued = false
    private var wasQueuedAt = NIODeadline.uptimeNanoseconds(0)
    private var (seenCount, leftCount) = (0, 0)

    /// Whether newcomers are looked at before they are taken in.
    var looksAtNewcomers: Bool { isCrowded || isQueued }

    /// Notes a turn, in which some newcomers were taken in.
    ///
    /// - Parameters:
    ///   - hasEmptied: Whether nobody was left waiting.
    ///   - now: The time; never before that of the call before.
    mutating func noteTurn(hasEmptied: Bool, at now: NIODeadline) {
        isQueued = !hasEmptied
        if isQueued {
            wasQueuedAt = now
        } else if now - wasQueuedAt >= Self.calm {
            isCrowded = false
        }
    }

    /// Notes somebody from the head of a queue.
    ///
    /// - Parameter hasLeft: Whether they have left.
    mutating func noteNewcomer(hasLeft: Bool) {
        seenCount += 1
        leftCount += hasLeft ? 1 : 0
        guard seenCount == Self.sampleCount else { return }
        if 2 * leftCount > seenCount { isCrowded = true }
        (seenCount, leftCount) = (0, 0)
    }

    /// Whether somebody is taken in while it is crowded.
    ///
    /// - Parameter waited: How long they have waited for their turn.
    /// - Returns: Whether they get it.
    static func admits(waited: TimeAmount) -> Bool { waited <= limit }
}
