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

    /// Between two inspections of the files that are served.
    private static let inspectionInterval = Duration.seconds(3600)
    /// Between two that are made because something could not be read: one may find nothing, and the next reader fail again.
    private static let suspicionInterval = Duration.seconds(60)
    /// After which what failed is tried again, though its files seem to be the same.
    private static let retryInterval = Duration.seconds(600)

    func run() async throws {
        // Reading a whole generation takes seconds, in which answers shall not wait for a thread.
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await cancelWhenGracefulShutdown {
            // What was there at the start is inspected at the first look.
            var inspectedAt: ContinuousClock.Instant?
            var triedAt = ContinuousClock.now
            while !Task.isCancelled {
                await report(thread) { [$0.refresh()] }
                let age = inspectedAt.map { ContinuousClock.now - $0 } ?? Self.inspectionInterval
                if age >= Self.inspectionInterval
                    || age >= Self.suspicionInterval && board.folder.takeSuspicion()
                {
                    await report(thread) { $0.inspect() }
                    inspectedAt = .now
                }
                if ContinuousClock.now - triedAt >= Self.retryInterval {
                    await report(thread) { [$0.retry()] }
                    triedAt = .now
                }
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: interval)
            }
        }
        try await thread.shutdownGracefully()
    }

    private func report(
        _ thread: NIOThreadPool,
        _ look: @escaping @Sendable (ServingFolder) -> [ServingFolder.Change]
    ) async {
        let folder = board.folder
        // It works until this service ends.
        let changes = try? await thread.runIfActive { look(folder) }
        for change in changes ?? [] { Self.note(change, board, logger) }
    }

    /// Says what changed; a mart's key file comes with its first generation.
    static func note(_ change: ServingFolder.Change, _ board: Board, _ logger: Logger) {
        if case .moved = change { board.keyRing.look(logger) }
        switch change {
        case .none: break
        case .moved(let generation) where !board.mayServe(generation):
            logger.error(
                "its trips are no generated ones: the demo serves none of them",
                metadata: ["generation": "\(generation.header.number)"]
            )
        case .moved(let generation):
            logger.info("serving", metadata: ["generation": "\(generation.header.number)"])
        case .uninspected(let generation, let error):
            logger.warning(
                "the served generation cannot be compared with its check sums",
                metadata: ["code": "\(error.code.rawValue)", "generation": "\(generation)"]
            )
        case .closed(let generation, let error):
            logger.error(
                "a replaced generation is damaged: lists of it end",
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
