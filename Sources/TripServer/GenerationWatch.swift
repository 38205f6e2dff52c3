import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TripDomain
import TripMart

/// Looks again and again for a newer generation, so that no request has to.
struct GenerationWatch: Service {
    let folder: ServingFolder
    let interval: Duration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await look()
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Reads files, which may take a while, on a thread where nobody waits.
    private func look() async {
        let folder = folder
        // The pool is the process's own and works as long as it does.
        let change = try? await NIOThreadPool.singleton.runIfActive { folder.refresh() }
        if let change { Self.report(change, logger) }
    }

    static func report(_ change: ServingFolder.Change, _ logger: Logger) {
        switch change {
        case .none: break
        case .moved(let generation):
            logger.info("serving", metadata: ["generation": "\(generation.header.number)"])
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
