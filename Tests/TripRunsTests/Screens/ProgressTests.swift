import Dispatch
import Synchronization
import Testing
import TripMart

@testable import TripRuns

@Suite struct ProgressTests {
    /// The stages that were reported.
    private final class ReportedStages: Sendable {
        private let stages = Mutex<[RunStage]>([])
        var all: [RunStage] { stages.withLock { $0 } }
        func add(_ stage: RunStage) { stages.withLock { $0.append(stage) } }
    }

    @Test func aStageIsReportedFromBeginningToEnd() {
        let reported = ReportedStages()
        let progress = Progress(isShown: false) { reported.add($0) }
        progress.begin("deciding")
        progress.update(done: 2, total: 40, detail: "")
        // It comes too soon to be reported.
        progress.update(done: 3, total: 40, detail: "")
        progress.end(detail: "")
        progress.begin("writing")
        progress.end(detail: "")
        let expected: [(String, Int64, Int64)] = [
            ("deciding", 0, 0), ("deciding", 2, 40), ("deciding", 40, 40), ("writing", 0, 0),
            ("writing", 1, 1),
        ]
        #expect(reported.all == expected.map { RunStage(name: $0.0, done: $0.1, total: $0.2) })
    }

    @Test func workDoesNotWaitForReports() {
        let hasWorked = DispatchSemaphore(value: 0)
        let isReported = DispatchSemaphore(value: 0)
        let progress = Progress(isShown: false) { stage in
            guard stage.done == 1 else { return }
            isReported.signal()
            hasWorked.wait()
        }
        progress.begin("deciding")
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            isReported.wait()
            for done in 2...1000 { progress.update(done: Int64(done), total: 1000, detail: "") }
            hasWorked.signal()
        }
        progress.update(done: 1, total: 1000, detail: "")
        group.wait()
    }
}
