import Hummingbird
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Stops the application a moment after the program was told to, and ends the last connections some
/// seconds later: every request that was sent gets an answer, and a client that does not take its
/// answer holds up the stop no longer.
///
/// In that moment requests on their way arrive and are answered with `Connection: close`.
struct GracefulStop<App: ApplicationProtocol>: Service {
    let application: App
    let registry: ConnectionRegistry

    /// A request's way through a network.
    private static var lastCall: Duration { .milliseconds(250) }
    /// Of the ten seconds that a stop may take; what goes on beside the connections has the rest.
    private static var patience: Duration { .seconds(8) }

    func run() async throws {
        let group = ServiceGroup(services: [application], logger: Backend.silence)
        // Detached, it is told to stop from here alone.
        let running = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await running.value
            } onGracefulShutdown: {
                registry.endWithAnswers()
                // Neither task is cancelled, and where the application stops before, the process
                // ends.
                Task {
                    try? await Task.sleep(for: Self.lastCall)
                    await Self.letEachThreadTurn()
                    await group.triggerGracefulShutdown()
                }
                Task {
                    // Not cancelled either.
                    try? await Task.sleep(for: Self.patience)
                    registry.endAtOnce()
                }
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// Waits until each thread has done what it was told, twice.
    ///
    /// A thread that is behind by more than the moment has then mostly read what had arrived. It
    /// may do both before it reads, so nothing depends on it.
    private static func letEachThreadTurn() async {
        for _ in 0..<2 {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
                // A loop that runs no more has nothing to read.
                try? await loop.submit {}.get()
            }
        }
    }
}
