import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TripDomain
import TripMart

/// Checks for a newer generation again and again, so that no request has to, and whether the served
/// one is still what was published.
struct GenerationWatch: Service {
    let state: ServerState
    let interval: Duration
    let logger: Logger

    /// Between two inspections of the files that are served.
    private static let inspectionInterval = Duration.seconds(3600)
    /// Between two that follow a failed read: one may find nothing, and the next read fail again.
    private static let suspicionInterval = Duration.seconds(60)
    /// After which a generation that failed is tried again, though its files seem to be the same.
    private static let retryInterval = Duration.seconds(600)

    func run() async throws {
        // Reading a whole generation takes seconds, in which no answer may wait for a thread.
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await cancelWhenGracefulShutdown {
            // The generation that is there at the start is inspected first.
            var inspectedAt: ContinuousClock.Instant?
            var triedAt = ContinuousClock.now
            while !Task.isCancelled {
                await report(thread) { [$0.refresh()] }
                let age = inspectedAt.map { ContinuousClock.now - $0 } ?? Self.inspectionInterval
                if age >= Self.inspectionInterval
                    || age >= Self.suspicionInterval && state.folder.takeSuspicion()
                {
                    await report(thread) { $0.inspect() }
                    inspectedAt = .now
                }
                if ContinuousClock.now - triedAt >= Self.retryInterval {
                    await report(thread) { [$0.retry()] }
                    triedAt = .now
                }
                // Cut short where the server stops, which the loop checks.
                try? await Task.sleep(for: interval)
            }
        }
        try await thread.shutdownGracefully()
    }

    private func report(
        _ thread: NIOThreadPool,
        _ check: @escaping @Sendable (ServingFolder) -> [ServingFolder.Change]
    ) async {
        let folder = state.folder
        // It works until this service ends.
        let changes = try? await thread.runIfActive { check(folder) }
        for change in changes ?? [] { Self.note(change, state, logger) }
    }

    /// Logs what changed; a mart's key file comes with its first generation.
    static func note(_ change: ServingFolder.Change, _ state: ServerState, _ logger: Logger) {
        if case .moved = change { state.keyRing.openIfMissing(logger) }
        switch change {
        case .none: break
        case .moved(let generation) where !state.mayServe(generation):
            logger.error(
                "the trips are not generated ones: the demo does not serve them",
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
