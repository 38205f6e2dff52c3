import Logging
import ServiceLifecycle

/// Looks again and again whether the certificate was renewed, so that nobody has to restart the server.
struct CertificateWatch: Service {
    let certificate: Certificate
    let logger: Logger
    /// The time, in seconds of UTC.
    let now: @Sendable () -> Int64

    private static let interval = Duration.seconds(1)

    func run() async throws {
        if certificate.end < now() { logger.warning("the certificate is past its date") }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                look()
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func look() {
        do {
            if try certificate.reload(now: now()) { logger.info("the certificate was renewed") }
        } catch {
            logger.error("the new certificate cannot be used; the one before stays: \(error)")
        }
    }
}
