import NIOCore
import Synchronization

/// The open connections: a maximum for each address, and one for all together.
///
/// Where a connection more is opened, the server closes the one without progress for longest.
/// Progress is a whole request or a whole answer: a client that opens connections and sends
/// nothing, or a byte now and then, keeps no other client out and loses its own; so does a client
/// that asks and takes no answer. A connection with an answer under way is closed last.
final class ConnectionRegistry: Sendable {
    private let countMax: Int
    private let addressCountMax: Int
    private let proxy: String?
    private let state = Mutex(State())
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
        mutating func remove(_ entry: Entry) {
            let key = ObjectIdentifier(entry.channel)
            guard entries[key] === entry else { return }
            entries[key] = nil
            guard let address = entry.address, let count = counts[address] else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// An open connection.
    final class Entry: Sendable {
        let channel: any Channel
        /// Where it comes from; nil where that is unknown or a trusted proxy, which has no limit of
        /// its own.
        let address: NetworkAddress?
        private let progressedAt: Atomic<UInt64>
        /// Requests that came and are not answered.
        private let pendingCount = Atomic(0)

        init(_ channel: any Channel, _ address: NetworkAddress?, at now: NIODeadline) {
            (self.channel, self.address) = (channel, address)
            progressedAt = Atomic(now.uptimeNanoseconds)
        }

        /// How long an answer counts as under way: it is made within two seconds, and what takes
        /// longer is not read.
        private static let answerTime: UInt64 = 5_000_000_000

        /// The order in which connections are closed for new ones: without an answer under way
        /// first, then by their progress.
        fileprivate func rank(at now: UInt64) -> (Int, UInt64) {
            let progress = progressedAt.load(ordering: .relaxed)
            let isPending = pendingCount.load(ordering: .relaxed) > 0
            return (isPending && now < progress + Self.answerTime ? 1 : 0, progress)
        }

        /// A whole request has come.
        func noteRequest() {
            pendingCount.add(1, ordering: .relaxed)
            noteProgress()
        }

        /// An answer has gone out whole: the system has taken its last byte.
        func noteAnswer() {
            pendingCount.subtract(1, ordering: .relaxed)
            noteProgress()
        }

        private func noteProgress() {
            progressedAt.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
        }
    }

    /// An empty registry.
    ///
    /// - Parameters:
    ///   - countMax: Connections at most.
    ///   - addressCountMax: Connections of one address at most; 0 is as many as there may be in
    ///     all.
    ///   - proxy: The address of a trusted proxy, which may have as many as there may be in all.
    init(countMax: Int, addressCountMax: Int, proxy: String? = nil) {
        (self.countMax, self.addressCountMax, self.proxy) = (countMax, addressCountMax, proxy)
    }

    /// Registers a connection until it is closed.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - now: The time.
    /// - Returns: Its entry.
    /// - Complexity: O(*n*) for *n* connections where there are as many as there may be, else O(1).
    @discardableResult
    func enter(_ channel: any Channel, at now: NIODeadline = .now()) -> Entry {
        let peer = channel.remoteAddress?.ipAddress
        let isProxy = proxy.map { NetworkAddress.isSame(peer, $0) } ?? false
        let entry = Entry(channel, isProxy ? nil : NetworkAddress(peer), at: now)
        let evicted = state.withLock { state -> Entry? in
            let evicted = connectionToEvict(for: entry.address, now.uptimeNanoseconds, state)
            if let evicted { state.remove(evicted) }
            state.add(entry)
            return evicted
        }
        if let evicted { Self.end(evicted) }
        channel.closeFuture.whenComplete { [self] _ in
            closed.add(1, ordering: .relaxed)
            state.withLock { $0.remove(entry) }
        }
        return entry
    }

    /// The connection that is closed for a new one: of the same address where that has its maximum,
    /// or of all where there are as many as there may be; nil where neither is so.
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

    /// Whether each connection ends with its next answer, since the server stops.
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

    /// The entry of a connection; nil where it is not registered.
    func entry(of channel: any Channel) -> Entry? {
        state.withLock { $0.entries[ObjectIdentifier(channel)] }
    }

    /// How many were closed since the server began.
    var closedCount: Int { closed.load(ordering: .relaxed) }

    /// How many are open.
    var count: Int { state.withLock { $0.entries.count } }
}
