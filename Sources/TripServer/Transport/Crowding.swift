import NIOCore

/// Whether so many come that those who are answered have left.
///
/// A queue that serves everybody in turn serves nobody then: each has left when their turn comes, or leaves before they are
/// through. Such a queue is known by who leaves it, whatever its length: a crowd that waits is served, one that leaves
/// is not waited for. When it begins whoever waited too long is turned away at once, as by controlled delay (RFC 8289), and while it
/// lasts few wait, so that they are in time; nobody waits long enough to leave then, and so it is over where nearly all find a place,
/// and judged anew after a while where they do not.
struct Crowding {
    /// How long so few have to find no place until it is over.
    private let calm: TimeAmount

    /// Of how many newcomers it is judged, and how many leave unanswered meanwhile where it is a crowd.
    ///
    /// One in eight, as where a seventh more come than are answered. Of fewer, some part of a long queue would have as many
    /// where one in thirty leaves by chance.
    static let (sampleCount, leaversInCrowd) = (stepsInSample * stepCount, 16)
    /// After how many more it is judged once more, of the last of them: all others would be taken in before it is known.
    static let stepCount = 32
    private static let stepsInSample = 4
    /// In what time so many have to come: where it takes them longer, they do not leave because there are too many.
    static let sampleTime = TimeAmount.seconds(5)
    /// So few may find no place in the time after which it is over: now and then somebody opens several connections at once.
    private static let missedMax = 4
    /// For how long it is one without being judged anew: what that takes is a twentieth of it.
    private static let spell = TimeAmount.minutes(1)

    /// The one there is; nil where it is none.
    private var crowd: Crowd?
    /// Those who are judged now, by steps; the last may still be filled.
    private var steps: [Step] = []

    /// Newcomers who came one after the other, since when, and who left meanwhile unanswered, of them and of those before.
    private struct Step {
        let since: NIODeadline
        var seenCount = 0
        var leftCount = 0
    }

    /// A crowd, since when, and those by whom it is known whether it goes on.
    private struct Crowd {
        let since: NIODeadline
        var comers: Comers

        init(since: NIODeadline) { (self.since, comers) = (since, Comers(since: since)) }
    }

    /// Who came in a crowd, and when the first could.
    private struct Comers {
        let since: NIODeadline
        var takenCount = 0
        var missedCount = 0

        /// Whether as many of them found no place as leave where a crowd begins.
        var isCrowd: Bool {
            missedCount > missedMax
                && missedCount * sampleCount >= leaversInCrowd * (takenCount + missedCount)
        }
    }

    /// No crowd.
    ///
    /// - Parameter calm: How long so few have to find no place until a crowd is over.
    init(calm: TimeAmount = .seconds(1)) { self.calm = calm }

    var isCrowded: Bool { crowd != nil }

    /// Notes a turn, in which some newcomers were taken in or none.
    ///
    /// - Parameters:
    ///   - takenCount: How many were.
    ///   - missedCount: How often somebody found no place since the turn before.
    ///   - now: The time; never before that of the call before.
    mutating func noteTurn(takenCount: Int, missedCount: Int, at now: NIODeadline) {
        guard var crowd else { return }
        crowd.comers.takenCount += takenCount
        crowd.comers.missedCount += missedCount
        let isJudged = now - crowd.comers.since >= calm
        let isOver = isJudged && !crowd.comers.isCrowd || now - crowd.since >= Self.spell
        if isJudged { crowd.comers = Comers(since: now) }
        self.crowd = isOver ? nil : crowd
    }

    /// Notes a newcomer.
    ///
    /// - Parameter now: The time; never before that of the call before.
    mutating func noteNewcomer(at now: NIODeadline) {
        // Until it is over nobody is judged.
        guard !isCrowded else { return }
        steps.removeAll { now - $0.since > Self.sampleTime }
        if steps.last.map({ $0.seenCount == Self.stepCount }) ?? true {
            if steps.count == Self.stepsInSample { steps.removeFirst() }
            steps.append(Step(since: now))
        }
        steps[steps.count - 1].seenCount += 1
        guard hasCrowd else { return }
        crowd = Crowd(since: now)
        // Others are judged when it is over.
        steps = []
    }

    /// Whether so many left of those who are judged; false while they are too few.
    private var hasCrowd: Bool {
        steps.reduce(0) { $0 + $1.seenCount } == Self.sampleCount
            && steps.reduce(0) { $0 + $1.leftCount } >= Self.leaversInCrowd
    }

    /// Notes those who were taken in and have left without an answer, before their turn or later.
    mutating func noteLeavers(_ count: Int) {
        // In a crowd nobody is judged; nor does who left before the first came who is.
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].leftCount += count
    }
}
