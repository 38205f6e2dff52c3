import NIOCore

/// Whether so many come that those who are answered have left, and who of them is still worth answering.
///
/// A queue that serves everybody in turn serves nobody then: each has left when their turn comes, or leaves before they are
/// through. Such a queue is known by who stands at its head, whatever its length: a crowd that waits is served, one that leaves
/// is not waited for. While it lasts whoever waited too long is turned away at once, as by controlled delay (RFC 8289), so that
/// the others are in time.
struct Crowding {
    /// What somebody may wait then, and after how long without a queue it is over.
    private let (limit, calm): (TimeAmount, TimeAmount)

    /// Of how many at the head of the queue it is judged, and how many of them have left where it is a crowd: one in eight, as
    /// where a seventh more come than are answered.
    private static let (sampleCount, leaversInCrowd) = (32, 4)

    private(set) var isCrowded = false
    /// Whether some were left waiting at the end of the last turn.
    private var isQueued = false
    private var wasQueuedAt = NIODeadline.uptimeNanoseconds(0)
    /// Those at the head of the queue who are judged now, and how many of them have left.
    private var (seenCount, leftCount) = (0, 0)
    /// How many were turned away since the last one who was not.
    private(set) var turnedAwayInARow = 0

    /// No crowd.
    ///
    /// - Parameters:
    ///   - limit: What somebody may wait in a crowd: of 1.2 s, so that the rest is enough for a handshake and an answer.
    ///   - calm: After how long without a queue a crowd is over.
    init(limit: TimeAmount = .milliseconds(250), calm: TimeAmount = .seconds(1)) {
        (self.limit, self.calm) = (limit, calm)
    }

    /// Whether newcomers are looked at before they are taken in.
    var looksAtNewcomers: Bool { isCrowded || isQueued }

    /// Notes a turn, in which some newcomers were taken in.
    ///
    /// - Parameters:
    ///   - isQueued: Whether there is a queue behind them.
    ///   - now: The time; never before that of the call before.
    mutating func noteTurn(isQueued: Bool, at now: NIODeadline) {
        if now - wasQueuedAt >= calm { isCrowded = false }
        if isQueued { wasQueuedAt = now }
        self.isQueued = isQueued
        // Of another queue nothing is known yet.
        if !looksAtNewcomers { (seenCount, leftCount, turnedAwayInARow) = (0, 0, 0) }
    }

    /// Notes what became of somebody from the head of a queue.
    ///
    /// - Parameters:
    ///   - hasLeft: Whether they had left.
    ///   - isTurnedAway: Whether they were turned away, for that or for waiting too long.
    mutating func noteNewcomer(hasLeft: Bool, isTurnedAway: Bool) {
        seenCount += 1
        leftCount += hasLeft ? 1 : 0
        turnedAwayInARow = isTurnedAway ? turnedAwayInARow + 1 : 0
        guard seenCount == Self.sampleCount else { return }
        if leftCount >= Self.leaversInCrowd { isCrowded = true }
        (seenCount, leftCount) = (0, 0)
    }

    /// Whether somebody is taken in who is still there.
    ///
    /// - Parameter waited: How long they have waited for their turn.
    /// - Returns: Whether they get it.
    func admits(waited: TimeAmount) -> Bool { !isCrowded || waited <= limit }
}
