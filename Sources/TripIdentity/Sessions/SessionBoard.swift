import Synchronization

/// The sessions that go on, as they were looked up some seconds ago: what another process changes of one
/// is noticed within those.
final class SessionBoard: Sendable {
    private let limits: SessionLimits
    private let state = Mutex(State())

    private struct State {
        var entries: [String: Entry] = [:]
        /// Goes up where something ends: what was looked up before is not kept.
        var epoch = 0
    }

    private struct Entry {
        var session: Session
        /// When the store was asked; nil where it is to be asked again.
        var lookedAt: Int64?
        /// Kept however often the store is asked: it is told later.
        var usedAt: Int64
    }

    private static let countMax = 10_000
    /// How often the store is told that a session is used, in seconds.
    ///
    /// Whoever was away for ten minutes may go on: where the server was started again meanwhile, the store alone knows of
    /// when that was, and the limit is thirty seconds more.
    private static let noteInterval: Int64 = 30

    init(limits: SessionLimits) { self.limits = limits }

    /// A session that goes on, and is used by this.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - now: The time.
    ///   - store: Where it is looked up.
    /// - Returns: The session; nil where there is none or it is over.
    /// - Throws: ``IdentityFault`` of the store.
    func session(_ id: String, now: Int64, _ store: IdentityStore) async throws -> Session? {
        if let known = known(id, now) { return known }
        let (usedAt, epoch) = state.withLock { ($0.entries[id]?.usedAt, $0.epoch) }
        guard let session = try await store.session(id),
            !session.hasEnded
        else {
            remove(id)
            return nil
        }
        if let reason = session.end(at: now, limits, usedAt: usedAt) {
            remove(id)
            try await store.end(id, reason, now: now)
            return nil
        }
        if now - session.lastUsedAt >= Self.noteInterval { try await store.touch(id, now: now) }
        state.withLock { known in
            if known.entries.count >= Self.countMax {
                known.entries.removeAll(keepingCapacity: true)
            }
            // What was changed while it was looked up is looked up again.
            let lookedAt = known.epoch == epoch ? now : nil
            known.entries[id] = Entry(session: session, lookedAt: lookedAt, usedAt: now)
        }
        return session
    }

    /// A session that was looked up just now.
    private func known(_ id: String, _ now: Int64) -> Session? {
        state.withLock { known in
            guard let entry = known.entries[id], let lookedAt = entry.lookedAt,
                // A clock that was set back makes nothing last longer.
                (0..<limits.notice).contains(now - lookedAt),
                entry.session.end(at: now, limits, usedAt: entry.usedAt) == nil
            else { return nil }
            known.entries[id]?.usedAt = now
            return entry.session
        }
    }

    /// Forgets a session, as it is over.
    func remove(_ id: String) {
        state.withLock { known in
            known.entries.removeValue(forKey: id)
            known.epoch += 1
        }
    }

    /// Looks every session up again at its next request.
    func lookAgain() {
        state.withLock { known in
            for id in known.entries.keys { known.entries[id]?.lookedAt = nil }
            known.epoch += 1
        }
    }

    /// When a session was used last, as far as is known here.
    func usedAt(_ id: String) -> Int64? { state.withLock { $0.entries[id]?.usedAt } }
}
