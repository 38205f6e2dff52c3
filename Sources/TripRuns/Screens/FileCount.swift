import Synchronization
import TripDomain

/// Counts finished files for the progress bar, from any thread.
final class FileCount: Sendable {
    private let progress: Progress
    private let total: Int64
    private let done = Atomic<Int64>(0)

    /// Begins a stage.
    init(progress: Progress, stage: String, total: Int) {
        self.progress = progress
        self.total = Int64(total)
        progress.begin(stage)
    }

    /// Counts one more finished file.
    func add() {
        let done = done.add(1, ordering: .relaxed).newValue
        progress.update(done: done, total: total, detail: text(done))
    }

    /// Ends the stage.
    func end() {
        progress.end(detail: text(done.load(ordering: .relaxed)))
    }

    private func text(_ done: Int64) -> String {
        "\(NumberFormat.count(done)) of \(Counted.text(total, "file"))"
    }
}
