import Hummingbird
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The application, which is told to stop a moment after the program was, and whose last connections are ended some
/// seconds later: nobody who has asked goes without an answer, and whoever does not take theirs keeps it from ending no longer.
///
/// In that moment what is on its way arrives and is answered, with the word that its connection ends.
struct BoundedEnd<App: ApplicationProtocol>: Service {
    let application: App
    let book: ConnectionBook

    /// A request's way through a network.
    private static var lastCall: Duration { .milliseconds(250) }
    /// Of the ten seconds that a stop may take; what goes on beside the connections has the rest.
    private static var patience: Duration { .seconds(8) }

    func run() async throws {
        let group = ServiceGroup(services: [application], logger: Backend.silence)
        // Detached, it hears from here alone that it has to stop.
        let running = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await running.value
            } onGracefulShutdown: {
                book.endWithAnswers()
                // Nobody cuts these short, and where it ends before, the process is gone.
                Task {
                    try? await Task.sleep(for: Self.lastCall)
                    await Self.letEachThreadTurn()
                    await group.triggerGracefulShutdown()
                }
                Task {
                    // Not cut short either.
                    try? await Task.sleep(for: Self.patience)
                    book.endAtOnce()
                }
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// Waits until each thread has done what it was told, twice.
    ///
    /// One that is behind by more than the moment has mostly read what had arrived by then. It may do both before it reads, so
    /// nothing depends on it.
    private static func letEachThreadTurn() async {
        for _ in 0..<2 {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
                // A loop that runs no more has nothing to read.
                try? await loop.submit {}.get()
            }
        }
    }
}
