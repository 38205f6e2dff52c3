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

    /// How many a lane has, the one that is being hashed among them.
    ///
    /// 1.6 seconds' worth where a hash takes 0.4 s: an answer has two. Whoever finds no seat is told so at once.
    private static let waitingMax = 4

    /// A place in one of the two lanes.
    struct Seat: Sendable {
        fileprivate let lane: Int
    }

    /// A seat, which whoever gets it gives back by ``run(in:_:)`` or ``leave(_:)``.
    ///
    /// - Returns: The seat; nil where too many wait.
    func seat() -> Seat? {
        counts.withLock { counts in
            let lane = counts[0] <= counts[1] ? 0 : 1
            guard counts[lane] < Self.waitingMax else { return nil }
            counts[lane] += 1
            return Seat(lane: lane)
        }
    }

    /// Gives a seat back in which nothing was run.
    func leave(_ seat: Seat) { counts.withLock { $0[seat.lane] -= 1 } }

    /// Runs what takes long, off the threads that answer.
    ///
    /// - Parameters:
    ///   - seat: Where; it is given back.
    ///   - body: What is to be run.
    /// - Returns: What it returns.
    func run<Value: Sendable>(
        in seat: Seat,
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            lanes[seat.lane].async { [self] in
                let value = body()
                leave(seat)
                continuation.resume(returning: value)
            }
        }
    }
}
