import Synchronization

/// A cache of open sessions, as read from the store some seconds ago.
///
/// A change by another process is noticed within those seconds.
final class SessionCache: Sendable {
    private let limits: SessionLimits
    private let state = Mutex(State())

    private struct State {
        var entries: [String: Entry] = [:]
        /// Increases where a session ends; what was read before is then not cached.
        var epoch = 0
    }

    private struct Entry {
        var session: Session
        /// When the session was read from the store; nil where it must be read again.
        var readAt: Int64?
        /// When it was last used; kept when the store is read, because the store learns of it
        /// later.
        var usedAt: Int64
    }

    private static let countMax = 10_000
    /// How often the store is told that a session is used, in seconds.
    ///
    /// A person may go on after ten minutes without a request. Where the server was restarted
    /// meanwhile, only the store knows the last use, at most thirty seconds late; the limit is
    /// thirty seconds longer for that reason.
    private static let noteInterval: Int64 = 30

    init(limits: SessionLimits) { self.limits = limits }

    /// An open session, which counts as used by this call.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - now: The time.
    ///   - store: The store to read it from.
    /// - Returns: The session; nil where it is unknown or over.
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
            // A session that changed while it was read is read again next time.
            let readAt = known.epoch == epoch ? now : nil
            known.entries[id] = Entry(session: session, readAt: readAt, usedAt: now)
        }
        return session
    }

    /// A session that was read within the last seconds.
    private func known(_ id: String, _ now: Int64) -> Session? {
        state.withLock { known in
            guard let entry = known.entries[id], let readAt = entry.readAt,
                // A clock that was set back does not make the cached session valid for longer.
                (0..<limits.cacheTime).contains(now - readAt),
                entry.session.end(at: now, limits, usedAt: entry.usedAt) == nil
            else { return nil }
            known.entries[id]?.usedAt = now
            return entry.session
        }
    }

    /// Removes a session that is over.
    func remove(_ id: String) {
        state.withLock { known in
            known.entries.removeValue(forKey: id)
            known.epoch += 1
        }
    }

    /// Makes every session be read again at its next request.
    func invalidateAll() {
        state.withLock { known in
            for id in known.entries.keys { known.entries[id]?.readAt = nil }
            known.epoch += 1
        }
    }

    /// When a session was last used, as far as this process knows.
    func usedAt(_ id: String) -> Int64? { state.withLock { $0.entries[id]?.usedAt } }
}
