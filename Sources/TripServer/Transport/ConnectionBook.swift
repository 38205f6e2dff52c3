import NIOCore
import Synchronization

/// The open connections: each address has some and no more, all together some and no more, and where there are as many
/// as there may be, a new one takes the place of the one on which nothing has come forward for longest.
///
/// What comes forward are whole requests and whole answers: whoever opens connections and says nothing, or one byte now and
/// then, keeps nobody out and loses theirs; so does whoever asks and takes no answer. Where an answer is under way a connection goes last.
final class ConnectionBook: Sendable {
    private let countMax: Int
    private let addressCountMax: Int
    private let state = Mutex(State())
    private let leavers = Atomic(0)
    private let closed = Atomic(0)
    private let ending = Atomic(false)

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var counts: [NetworkAddress: Int] = [:]

        mutating func add(_ entry: Entry) {
            entries[ObjectIdentifier(entry.channel)] = entry
            if let address = entry.address { counts[address, default: 0] += 1 }
        }

        /// Removes an entry, if it is still there.
        ///
        /// - Returns: Whether it was.
        @discardableResult
        mutating func remove(_ entry: Entry) -> Bool {
            let key = ObjectIdentifier(entry.channel)
            guard entries[key] === entry else { return false }
            entries[key] = nil
            guard let address = entry.address, let count = counts[address] else { return true }
            counts[address] = count > 1 ? count - 1 : nil
            return true
        }
    }

    /// An open connection.
    final class Entry: Sendable {
        let channel: any Channel
        let address: NetworkAddress?
        private let enteredAt: NIODeadline
        private let progressedAt: Atomic<UInt64>
        /// Requests that came and are not answered.
        private let pendingCount = Atomic(0)
        private let asked = Atomic(false)
        private let answered = Atomic(false)

        init(_ channel: any Channel, _ address: NetworkAddress?, at now: NIODeadline) {
            (self.channel, self.address, enteredAt) = (channel, address, now)
            progressedAt = Atomic(enteredAt.uptimeNanoseconds)
        }

        /// In which an answer is under way: it is made within two seconds, and what takes longer is not being read.
        private static let answerTime: UInt64 = 5_000_000_000

        /// Those that go last are greatest: with an answer under way, then by when something came forward.
        fileprivate func rank(at now: UInt64) -> (Int, UInt64) {
            let progress = progressedAt.load(ordering: .relaxed)
            let isPending = pendingCount.load(ordering: .relaxed) > 0
            return (isPending && now < progress + Self.answerTime ? 1 : 0, progress)
        }

        /// A whole request has come.
        func noteRequest() {
            asked.store(true, ordering: .relaxed)
            pendingCount.add(1, ordering: .relaxed)
            noteProgress()
        }

        /// An answer has gone out whole: the system has taken its last byte.
        ///
        /// - Parameter isHeard: Whether it has come to somebody, or is on its way to one who is still there.
        func noteAnswer(isHeard: Bool = true) {
            if isHeard { answered.store(true, ordering: .relaxed) }
            pendingCount.subtract(1, ordering: .relaxed)
            noteProgress()
        }

        /// Whether somebody has had an answer.
        var wasAnswered: Bool { answered.load(ordering: .relaxed) }

        /// How long after it was opened somebody leaves at most who waited for their turn, and who waited for an answer: a browser that
        /// thinks ahead closes what it did not need later, and connections that last longer without an answer are ended by the server.
        private static let (turnTime, patience) = (TimeAmount.seconds(5), TimeAmount.seconds(30))

        /// Whether somebody who ends it now leaves without an answer that they came for.
        fileprivate func isLeft(at now: NIODeadline) -> Bool {
            let wasAsked = asked.load(ordering: .relaxed)
            return !wasAnswered && now - enteredAt < (wasAsked ? Self.patience : Self.turnTime)
        }

        private func noteProgress() {
            progressedAt.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
        }
    }

    /// An empty book.
    ///
    /// - Parameters:
    ///   - countMax: Connections at most.
    ///   - addressCountMax: Connections of one address at most; 0 is as many as there may be in all.
    init(countMax: Int, addressCountMax: Int) {
        self.countMax = countMax
        self.addressCountMax = addressCountMax
    }

    /// Enters a connection until it is closed.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - now: The time.
    /// - Returns: Its entry.
    /// - Complexity: O(*n*) for *n* connections where there are as many as there may be, else O(1).
    @discardableResult
    func enter(_ channel: any Channel, at now: NIODeadline = .now()) -> Entry {
        let entry = Entry(channel, NetworkAddress(channel.remoteAddress?.ipAddress), at: now)
        let evicted = state.withLock { state -> Entry? in
            let evicted = connectionToEvict(for: entry.address, now.uptimeNanoseconds, state)
            if let evicted { state.remove(evicted) }
            state.add(entry)
            return evicted
        }
        if let evicted { Self.end(evicted) }
        channel.closeFuture.whenComplete { [self] _ in
            closed.add(1, ordering: .relaxed)
            let wasThere = state.withLock { $0.remove(entry) }
            if wasThere, entry.isLeft(at: .now()) { leavers.add(1, ordering: .relaxed) }
        }
        return entry
    }

    /// Which connection makes room, the most silent one: of the same address where that has as many as it may have, or
    /// of all where there are as many as there may be; nil where there is room.
    private func connectionToEvict(
        for address: NetworkAddress?,
        _ now: UInt64,
        _ state: State
    ) -> Entry? {
        if let address, addressCountMax > 0, state.counts[address, default: 0] >= addressCountMax {
            return state.entries.values.lazy.filter { $0.address == address }
                .min { $0.rank(at: now) < $1.rank(at: now) }
        }
        guard state.entries.count >= countMax else { return nil }
        return state.entries.values.min { $0.rank(at: now) < $1.rank(at: now) }
    }

    /// Whether each connection ends with its next answer, since the server does.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    /// From now on each connection ends with its next answer, and no sooner.
    func endWithAnswers() { ending.store(true, ordering: .relaxed) }

    /// Ends all that are open, whatever is under way on them.
    func endAtOnce() {
        let all = state.withLock { state in
            let all = Array(state.entries.values)
            for entry in all { state.remove(entry) }
            return all
        }
        for entry in all { Self.end(entry) }
    }

    private static func end(_ entry: Entry) {
        entry.channel.triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
    }

    /// The entry of a connection; nil where it is in none.
    func entry(of channel: any Channel) -> Entry? {
        state.withLock { $0.entries[ObjectIdentifier(channel)] }
    }

    /// How many were ended without the answer that somebody came for: within five seconds where nothing was asked, or thirty.
    ///
    /// Those whose place others needed do not count, nor what was idle.
    var leaverCount: Int { leavers.load(ordering: .relaxed) }

    /// How many were closed, whoever closed them.
    var closedCount: Int { closed.load(ordering: .relaxed) }

    /// How many are open.
    var count: Int { state.withLock { $0.entries.count } }
}
