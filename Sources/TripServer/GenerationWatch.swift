import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TripDomain
import TripMart

/// Looks again and again for a newer generation, so that no request has to, and whether the served one is
/// still what was published.
struct GenerationWatch: Service {
    let board: Board
    let interval: Duration
    let logger: Logger

    /// How many looks there are between two inspections of the served file: an hour of quarter seconds.
    private static let inspectionInterval = 14_400
    /// How many looks there are before what failed is tried again: a minute.
    private static let retryInterval = 240

    func run() async throws {
        // Reading a whole generation takes seconds, in which answers shall not wait for a thread.
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await cancelWhenGracefulShutdown {
            var lookCount = 0
            while !Task.isCancelled {
                await report(thread) { $0.refresh() }
                // What was there at the start is inspected at the first look.
                if lookCount % Self.inspectionInterval == 0 {
                    await report(thread) { $0.inspect() }
                }
                lookCount += 1
                if lookCount % Self.retryInterval == 0 { await report(thread) { $0.retry() } }
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: interval)
            }
        }
        try await thread.shutdownGracefully()
    }

    private func report(
        _ thread: NIOThreadPool,
        _ look: @escaping @Sendable (ServingFolder) -> ServingFolder.Change
    ) async {
        let folder = board.folder
        // It works until this service ends.
        let change = try? await thread.runIfActive { look(folder) }
        guard let change else { return }
        Self.note(change, board, logger)
    }

    /// Says what changed; a mart's key file comes with its first generation.
    static func note(_ change: ServingFolder.Change, _ board: Board, _ logger: Logger) {
        if case .moved = change { board.keyRing.look(logger) }
        switch change {
        case .none: break
        case .moved(let generation):
            logger.info("serving", metadata: ["generation": "\(generation.header.number)"])
        case .uninspected(let generation, let error):
            logger.warning(
                "the served generation cannot be compared with its check sums",
                metadata: ["code": "\(error.code.rawValue)", "generation": "\(generation)"]
            )
        case .failed(let generation, let error):
            logger.error(
                "the published generation cannot be served",
                metadata: [
                    "code": "\(error.code.rawValue)",
                    "generation": "\(generation.map(String.init) ?? "not named")",
                ]
            )
        }
    }
}
