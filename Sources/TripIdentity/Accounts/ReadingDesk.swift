import Dispatch
import Synchronization

/// Where the list of stolen passwords is read, one look after another: its disk may be slow or hang, which keeps
/// nobody from signing in and no answer waiting.
final class ReadingDesk: Sendable {
    private let lane = DispatchQueue(label: "list of stolen passwords", qos: .utility)
    private let count = Mutex(0)
    /// What takes longer is answered without it, and ends by itself.
    private let timeMax: DispatchTimeInterval

    /// How many may wait, the one that is being read for among them; whoever comes then is told so at once.
    private static let waitingMax = 4

    /// A desk.
    ///
    /// - Parameter timeMax: How long an answer waits: a second, for it has two, and hashing takes some tenths of one.
    init(timeMax: DispatchTimeInterval = .seconds(1)) { self.timeMax = timeMax }

    /// Takes a place, which ``run(_:)`` gives back.
    ///
    /// - Returns: Whether one was free.
    func takesPlace() -> Bool {
        count.withLock { count in
            guard count < Self.waitingMax else { return false }
            count += 1
            return true
        }
    }

    /// Does what may wait for a disk, off the threads that answer.
    ///
    /// - Parameter body: What is to be done.
    /// - Returns: What it returns; nil where too many wait, or it did not end in time.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        guard takesPlace() else { return nil }
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + timeMax) {
                answer.give(nil)
            }
            lane.async { [self] in
                // Nobody waits any more for what was not begun in time.
                let value = answer.isGiven ? nil : body()
                count.withLock { $0 -= 1 }
                answer.give(value)
            }
        }
    }
}

/// Who waits for an answer, and gets the first one there is.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

    var isGiven: Bool { waiting.withLock { $0 == nil } }

    func give(_ value: Value?) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
