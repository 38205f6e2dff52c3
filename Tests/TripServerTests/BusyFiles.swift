import Dispatch
import NIOPosix
import Synchronization

@testable import TripServer

/// Work on files that takes every thread there is, with more behind it.
enum BusyFiles {
    private static let threadCount = 2

    /// Does something meanwhile.
    ///
    /// - Parameters:
    ///   - files: What does the work, on threads that nobody else waits for; all of it is begun and ended at the end.
    ///   - work: What is done while some of it waits.
    /// - Throws: What that throws.
    static func during(_ files: FileWork, _ work: () async throws -> Void) async throws {
        let pool = NIOThreadPool(numberOfThreads: threadCount)
        pool.start()
        var files = files
        files.pool = pool
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        var failure: (any Error)?
        await withTaskGroup { [files] group in
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
            while files.waitingCount < threadCount { await Task.yield() }
            do { try await work() } catch { failure = error }
            for _ in 0..<2 * threadCount { gate.signal() }
            for _ in threadCount..<2 * threadCount { await beginnings.next() }
        }
        try await pool.shutdownGracefully()
        if let failure { throw failure }
    }
}
