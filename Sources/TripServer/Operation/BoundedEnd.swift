import Hummingbird
import ServiceLifecycle

/// The application, whose last connections are ended some seconds after it was told to stop: whoever does not take
/// their answer keeps it from ending no longer.
struct BoundedEnd<App: ApplicationProtocol>: Service {
    let application: App
    let book: ConnectionBook

    /// Of the ten seconds that a stop may take; what goes on beside the connections has the rest.
    private static var patience: Duration { .seconds(8) }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            Task {
                // Nobody cuts it short, and where it ends before, the process is gone.
                try? await Task.sleep(for: Self.patience)
                book.endAll()
            }
        }
    }
}
