import Logging
import ServiceLifecycle

/// Looks again and again whether the certificate was renewed, so that nobody has to restart the server.
struct CertificateWatch: Service {
    let certificate: Certificate
    let logger: Logger

    private static let interval = Duration.seconds(1)

    func run() async throws {
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
            if try certificate.reload() { logger.info("the certificate was renewed") }
        } catch {
            logger.error("the new certificate cannot be used; the one before stays: \(error)")
        }
    }
}
