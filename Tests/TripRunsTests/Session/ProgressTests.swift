import Dispatch
import Synchronization
import Testing

@testable import TripRuns

@Suite struct ProgressTests {
    /// The stages that were reported.
    private final class ReportedStages: Sendable {
        private let stages = Mutex<[WorkProgress]>([])
        var all: [WorkProgress] { stages.withLock { $0 } }
        func add(_ stage: WorkProgress) { stages.withLock { $0.append(stage) } }
    }

    @Test func aStageIsReportedFromBeginningToEnd() {
        let reported = ReportedStages()
        let progress = Progress { reported.add($0) }
        progress.begin("deciding")
        progress.update(done: 2, total: 40)
        // It comes too soon to be reported.
        progress.update(done: 3, total: 40)
        progress.end()
        progress.begin("writing")
        progress.end()
        let expected: [(String, Int64, Int64)] = [
            ("deciding", 0, 0), ("deciding", 2, 40), ("deciding", 40, 40), ("writing", 0, 0),
            ("writing", 1, 1),
        ]
        let stages = reported.all
        #expect(stages.map(\.stage) == expected.map(\.0))
        #expect(stages.map(\.done) == expected.map(\.1))
        #expect(stages.map(\.total) == expected.map(\.2))
        #expect(stages.map(\.isFinal) == [false, false, true, false, true])
    }

    @Test func workDoesNotWaitForReports() {
        let hasWorked = DispatchSemaphore(value: 0)
        let isReported = DispatchSemaphore(value: 0)
        let progress = Progress { stage in
            guard stage.done == 1 else { return }
            isReported.signal()
            hasWorked.wait()
        }
        progress.begin("deciding")
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            isReported.wait()
            for done in 2...1000 { progress.update(done: Int64(done), total: 1000) }
            hasWorked.signal()
        }
        progress.update(done: 1, total: 1000)
        group.wait()
    }
}
