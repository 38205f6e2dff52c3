import Testing

@testable import TripEngine

@Suite struct JobsTests {
    @Test(arguments: [1, 2, 3, 8])
    func runsEveryJobOnce(threads: Int) {
        for count in [0, 1, 2, 7, 100] {
            var runs = [Int](repeating: 0, count: count)
            runs.withUnsafeMutableBufferPointer { slots in
                runJobs(count: slots.count, threads: threads) { slots[$0] += $0 + 1 }
            }
            #expect(runs == Array(1..<(count + 1)))
        }
    }
}
