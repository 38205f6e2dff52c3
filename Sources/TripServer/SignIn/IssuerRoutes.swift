import Hummingbird
import Logging
import ServiceLifecycle
import TripDomain
import TripIdentity
import TripText

/// `GET /.well-known/…`: the metadata of the server that signs users in (RFC 8414), and the keys
/// that verify its tokens (RFC 7517).
struct IssuerRoutes {
    let authentication: AuthenticationService

    func metadata(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        let issuer = authentication.issuer
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("issuer", issuer)
            json.value("authorization_endpoint", issuer + RouteTable.authorize)
            json.value("token_endpoint", issuer + RouteTable.token)
            json.value("revocation_endpoint", issuer + RouteTable.revoke)
            json.value("jwks_uri", issuer + RouteTable.issuerKeys)
            json.list("response_types_supported", ["code"])
            json.list("grant_types_supported", ["authorization_code", "refresh_token"])
            json.list("code_challenge_methods_supported", ["S256"])
            json.list("token_endpoint_auth_methods_supported", ["none"])
            json.list("revocation_endpoint_auth_methods_supported", ["none"])
            json.value("authorization_response_iss_parameter_supported", true)
        }
        return Answer.unkept(json.text)
    }

    func keys(_ request: Request) async throws -> Response {
        _ = try QueryReading(request, known: [])
        let keys = try await authentication.publicKeys()
        var json = JSONText()
        json.object(isLine: true) { json in
            json.array("keys") { json in
                for key in keys {
                    json.object { json in
                        json.value("kty", "EC")
                        json.value("crv", "P-256")
                        json.value("alg", "ES256")
                        json.value("use", "sig")
                        json.value("kid", key.id)
                        json.value("x", key.x)
                        json.value("y", key.y)
                    }
                }
            }
        }
        return Answer.unkept(json.text)
    }
}

extension JSONText {
    fileprivate mutating func list(_ name: JSONName, _ words: [String]) {
        array(name) { json in
            for word in words { json.value(nil, word) }
        }
    }
}

/// Reads the external issuer's keys again where their file was replaced.
struct IssuerKeysWatch: Service {
    let authentication: AuthenticationService
    let logger: Logger

    private static let interval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // An error of a file that stays as it is is logged once.
            var isFaulty = false
            while !Task.isCancelled {
                do {
                    if try await authentication.reloadExternalKeys() || isFaulty {
                        authentication.hasExternalKeys
                            ? logger.info("the issuer's keys were read again")
                            : logger.warning("the issuer's keys are withdrawn: no user can sign in")
                    }
                    isFaulty = false
                } catch {
                    if !isFaulty {
                        let rest =
                            authentication.hasExternalKeys
                            ? "the keys before are in force" : "no user can sign in"
                        logger.error(
                            "the issuer's keys cannot be read; \(rest)",
                            metadata: ["code": "\((error as? IdentityFault)?.code ?? "internal")"]
                        )
                    }
                    isFaulty = true
                }
                // Cut short where the server stops, which the loop checks.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
