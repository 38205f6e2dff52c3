import Dispatch
import NIOCore
import Synchronization

@testable import TripServer

/// Work on files that takes every thread there is, with more behind it.
enum BusyFiles {
    /// Does something meanwhile.
    ///
    /// - Parameters:
    ///   - files: What does the work; it returns once all of that is begun and ended.
    ///   - work: What is done while some of it waits.
    static func during(_ files: FileWork, _ work: () async -> Void) async {
        let threadCount = NIOSingletons.blockingPoolThreadCountSuggestion
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        await withTaskGroup { group in
            for _ in 0..<2 * threadCount {
                group.addTask {
                    // Where it is told that it takes too long, it still does.
                    try? await files.perform {
                        begin.yield()
                        gate.wait()
                    }
                }
            }
            var beginnings = begun.makeAsyncIterator()
            for _ in 0..<threadCount { await beginnings.next() }
            await work()
            for _ in 0..<2 * threadCount { gate.signal() }
            for _ in threadCount..<2 * threadCount { await beginnings.next() }
        }
    }
}
