import NIOCore

/// Whether so many come that those who are answered have left, and who of them is still worth answering.
///
/// A queue that serves everybody in turn serves nobody then: each has left when their turn comes, or leaves before they are
/// through. Such a queue is known by who leaves it, whatever its length: a crowd that waits is served, one that leaves
/// is not waited for. When it begins whoever waited too long is turned away at once, as by controlled delay (RFC 8289), and while it
/// lasts few wait, so that they are in time; nobody waits long enough to leave then, and so it is over where there is no queue, and
/// judged anew after a while where there is one.
struct Crowding {
    /// What somebody may have waited when it begins.
    let limit: TimeAmount
    /// After how long without a queue it is over.
    private let calm: TimeAmount

    /// Of how many newcomers it is judged, and how many leave unanswered meanwhile where it is a crowd.
    ///
    /// One in eight, as where a seventh more come than are answered. Of fewer, some blocks of a long queue would have as many
    /// where one in thirty leaves by chance.
    static let (sampleCount, leaversInCrowd) = (128, 16)
    /// In what time so many have to come: where it takes them longer, they do not leave because there are too many.
    static let sampleTime = TimeAmount.seconds(5)
    /// For how long it is one without being judged anew: what that takes is a twentieth of it.
    private static let spell = TimeAmount.minutes(1)

    /// Since when; nil where it is none.
    private var crowdedSince: NIODeadline?
    private var wasQueuedAt = NIODeadline.uptimeNanoseconds(0)
    /// Those who are judged now, since when, and who left meanwhile unanswered, of them and of those before.
    private var seenCount = 0
    private var sampledSince = NIODeadline.uptimeNanoseconds(0)
    private var leftCount = 0

    /// No crowd.
    ///
    /// - Parameters:
    ///   - limit: What somebody may have waited when it begins: of 1.2 s, so that the rest is enough for a handshake and an answer.
    ///   - calm: After how long without a queue a crowd is over.
    init(limit: TimeAmount = .milliseconds(250), calm: TimeAmount = .seconds(1)) {
        (self.limit, self.calm) = (limit, calm)
    }

    var isCrowded: Bool { crowdedSince != nil }

    /// Notes a turn, in which some newcomers were taken in or none.
    ///
    /// - Parameters:
    ///   - isQueued: Whether there is a queue behind them.
    ///   - now: The time; never before that of the call before.
    mutating func noteTurn(isQueued: Bool, at now: NIODeadline) {
        // First: a turn that took long does not end a crowd that is there.
        if isQueued { wasQueuedAt = now }
        if let since = crowdedSince,
            now - max(wasQueuedAt, since) >= calm || now - since >= Self.spell
        {
            crowdedSince = nil
            begin(at: now)
        }
    }

    /// Others are judged.
    private mutating func begin(at now: NIODeadline) {
        (seenCount, leftCount, sampledSince) = (0, 0, now)
    }

    /// Notes a newcomer.
    ///
    /// - Parameter now: The time; never before that of the call before.
    mutating func noteNewcomer(at now: NIODeadline) {
        // Until it is over nobody is judged.
        guard !isCrowded else { return }
        if now - sampledSince > Self.sampleTime { begin(at: now) }
        seenCount += 1
        guard seenCount == Self.sampleCount else { return }
        if leftCount >= Self.leaversInCrowd { crowdedSince = now }
        begin(at: now)
    }

    /// Notes those who were taken in and have left without an answer, before their turn or later.
    mutating func noteLeavers(_ count: Int) { leftCount += count }
}
