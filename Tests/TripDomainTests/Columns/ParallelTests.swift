import Testing

@testable import TripDomain

@Suite struct ParallelTests {
    @Test(arguments: [1, 2, 3, 8])
    func runsEveryJobOnce(threads: Int) {
        for count in [0, 1, 2, 7, 100] {
            var runs = [Int](repeating: 0, count: count)
            runs.withUnsafeMutableBufferPointer { slots in
                Parallel.forEach(slots.count, threads: threads) { slots[$0] += $0 + 1 }
            }
            #expect(runs == Array(1..<(count + 1)))
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func valuesStandInOrderForEveryGrain(threads: Int) {
        for (count, grain) in [(0, 1), (1, 4), (7, 3), (100, 7), (100, 256)] {
            let values = Parallel.map(count, threads: threads, grain: grain) { $0 * $0 }
            #expect(values == (0..<count).map { $0 * $0 })
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func slicesCoverEveryRowOnce(threads: Int) {
        for count in [0, 1, 2, 7, 100] {
            let slices = Parallel.mapSlices(of: count, threads: threads) { $0 }
            #expect(slices.flatMap(Array.init) == Array(0..<count))
        }
    }
}
