import Dispatch
import Synchronization

/// Where passwords are hashed: two at once, for each takes 128 MiB and a processor for some tenths of a
/// second; some more may wait.
final class HashingBench: Sendable {
    private let lanes = [
        DispatchQueue(label: "hashing 1", qos: .utility),
        DispatchQueue(label: "hashing 2", qos: .utility),
    ]
    private let counts = Mutex([0, 0])

    /// How many may wait on a lane: ten seconds' worth.
    private static let waitingMax = 25

    /// Runs what takes long, off the threads that answer.
    ///
    /// - Parameter body: What is to be run.
    /// - Returns: What it returns; nil where too many wait.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        let lane = counts.withLock { counts -> Int? in
            let lane = counts[0] <= counts[1] ? 0 : 1
            guard counts[lane] < Self.waitingMax else { return nil }
            counts[lane] += 1
            return lane
        }
        guard let lane else { return nil }
        return await withCheckedContinuation { continuation in
            lanes[lane].async { [self] in
                let value = body()
                self.counts.withLock { $0[lane] -= 1 }
                continuation.resume(returning: value)
            }
        }
    }
}
