import Synchronization

/// How fast one account may reveal: somebody looks at some fields, a program at all of them.
final class RevealPace: Sendable {
    /// The seconds of the last reveals, by account.
    private let state = Mutex<[Int64: [Int64]]>([:])

    /// Reveals of one account at most, within ``interval`` seconds.
    static let countMax = 30
    static let interval: Int64 = 600

    /// Counts a reveal.
    ///
    /// - Parameters:
    ///   - account: Whose.
    ///   - now: The time, in seconds.
    /// - Returns: The seconds until the next one may be, in which case nothing is counted; nil where this one may.
    func wait(_ account: Int64, at now: Int64) -> Int64? {
        state.withLock { known in
            let recent = known[account, default: []].filter { now - $0 < Self.interval }
            guard recent.count < Self.countMax else {
                known[account] = recent
                return recent[0] + Self.interval - now
            }
            known[account] = recent + [now]
            return nil
        }
    }
}
