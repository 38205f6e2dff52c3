import Synchronization
import TripDomain

/// Counts the trips of batches that several threads work on, for the progress bar.
final class BatchProgress: Sendable {
    private let progress: Progress
    private let batchCount: Int
    private let batches = Atomic<Int64>(0)
    private let trips = Atomic<Int64>(0)

    /// - Parameters:
    ///   - progress: Where progress is shown.
    ///   - batchCount: The number of batches.
    init(_ progress: Progress, batchCount: Int) {
        self.progress = progress
        self.batchCount = batchCount
    }

    /// The number of trips so far, as text.
    var detail: String { Counted.text(trips.load(ordering: .relaxed), "trip") }

    /// Counts a finished batch.
    func add(trips count: Int) {
        trips.add(Int64(count), ordering: .relaxed)
        let done = batches.add(1, ordering: .relaxed).newValue
        progress.update(done: done, total: Int64(batchCount), detail: detail)
    }
}
