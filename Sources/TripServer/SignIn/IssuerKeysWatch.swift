import Logging
import ServiceLifecycle
import TripIdentity

/// Takes up the other issuer's keys where their file was replaced.
struct IssuerKeysWatch: Service {
    let authority: Authority
    let logger: Logger

    private static let interval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A file that stays as it is is complained of once.
            var isFaulty = false
            while !Task.isCancelled {
                do {
                    if try await authority.lookForForeignKeys() || isFaulty {
                        authority.hasForeignKeys
                            ? logger.info("the issuer's keys are taken up")
                            : logger.warning("the issuer's keys are withdrawn: nobody comes in")
                    }
                    isFaulty = false
                } catch {
                    if !isFaulty {
                        let rest =
                            authority.hasForeignKeys
                            ? "those before are in force" : "nobody comes in"
                        logger.error(
                            "the issuer's keys cannot be read; \(rest)",
                            metadata: ["code": "\((error as? IdentityFault)?.code ?? "internal")"]
                        )
                    }
                    isFaulty = true
                }
                // Cut short where the server stops, which the loop looks for.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
