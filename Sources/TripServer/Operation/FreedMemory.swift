import CMalloc
import ServiceLifecycle

/// Gives back to the system what closed connections took.
///
/// The C library keeps what is freed for who comes next. Of the 72 KB that a connection has each writes on half, and not on the
/// same half: crowd after crowd the server held more, up to 284 MB where one crowd takes 190 (2026-11).
struct FreedMemory: Service {
    let book: ConnectionBook

    private static let interval = Duration.seconds(1)
    /// Connections that leave enough behind for a look through all memory, which takes up to 12 milliseconds.
    private static let closedMin = 200

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var count = 0
            var isRepeated = false
            while !Task.isCancelled {
                let closed = book.closedCount
                let isCrowd = closed - count >= Self.closedMin
                // Once more at the look after it: a look may come in the middle of a crowd, and before the last of it is freed.
                if isCrowd || isRepeated {
                    count = closed
                    // Whether there was something to give back changes nothing.
                    _ = malloc_trim(0)
                }
                isRepeated = isCrowd
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
