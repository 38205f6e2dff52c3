import NIOCore
import Synchronization

/// How often each of many keys may do something: at most so many times within any interval.
///
/// One type for every limit of the kind: sign-ins of an address, reveals of an account, lines of
/// the log.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let countMax: Int
    private let interval: Int64
    /// The seconds of what each key did within the last interval, oldest first.
    private let state = Mutex<[Key: [Int64]]>([:])

    /// Keys at most; beyond, those that did nothing within an interval are forgotten, or else all.
    private let keyCountMax: Int

    /// - Parameters:
    ///   - countMax: How often within an interval; 0 is no limit.
    ///   - interval: Its seconds.
    ///   - keyCountMax: Keys that are remembered.
    init(_ countMax: Int, per interval: Int64, keyCountMax: Int = 100_000) {
        (self.countMax, self.interval, self.keyCountMax) = (countMax, interval, keyCountMax)
    }

    /// Counts one event.
    ///
    /// - Parameters:
    ///   - key: What the limit is for.
    ///   - now: The time, in seconds.
    /// - Returns: nil where it is within the limit. Else the seconds until the next one is, and
    ///   nothing is counted.
    /// - Complexity: O(*n*) in the limit; in the keys where there are too many.
    func wait(_ key: Key, at now: Int64) -> Int64? {
        guard countMax > 0 else { return nil }
        return state.withLock { known in
            var recent = known[key] ?? []
            // A clock that was set back makes what lies ahead old.
            recent.removeAll { !isRecent($0, at: now) }
            guard recent.count < countMax else {
                known[key] = recent
                return recent[0] + interval - now
            }
            if known[key] == nil, known.count >= keyCountMax {
                known = known.filter { $0.value.contains { isRecent($0, at: now) } }
                if known.count >= keyCountMax { known.removeAll() }
            }
            known[key] = recent + [now]
            return nil
        }
    }

    /// Whether one more event is within the limit; then it is counted.
    func allows(_ key: Key, at now: Int64) -> Bool { wait(key, at: now) == nil }

    private func isRecent(_ second: Int64, at now: Int64) -> Bool {
        second <= now && now < second + interval
    }
}

/// The seconds since the machine's start, which no setting of the clock changes.
enum Uptime {
    static var seconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000) }
}
