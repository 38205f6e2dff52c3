import Hummingbird
import TripDomain
import TripIdentity

/// `GET /.well-known/…`: what a client needs to know of the server that signs people in (RFC 8414), and the
/// keys that verify its tokens (RFC 7517).
struct IssuerRoutes {
    let authority: Authority

    func metadata(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        let issuer = authority.issuer
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
        let keys = try await authority.publicKeys()
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
