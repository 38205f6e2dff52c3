import HTTPTypes
import Hummingbird

/// Every path the server answers, and by which methods.
enum RouteTable {
    static let kpi = "/kpi"
    static let trips = "/trips"
    static let trip = "/trip/{ref}"
    static let reveal = "/trip/{ref}/reveal"
    static let runs = "/runs"
    static let run = "/runs/{id}"
    static let cancel = "/runs/{id}/cancel"
    static let months = "/months"
    static let tripTypes = "/trip-types"
    static let regions = "/regions"
    static let health = "/healthz"
    static let readiness = "/readyz"
    static let contract = "/openapi.yaml"
    static let page = "/"
    static let metrics = "/metrics"
    static let authorize = "/authorize"
    static let token = "/token"
    static let revoke = "/revoke"
    static let account = "/account"
    static let forgotten = "/forgotten"
    static let newPassword = "/new-password"
    static let issuer = "/.well-known/oauth-authorization-server"
    static let issuerKeys = "/.well-known/jwks.json"

    /// The methods a path knows; nil where there is nothing at it.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        switch path {
        case page, metrics, kpi, trips, months, tripTypes, regions, health, readiness, contract,
            issuer,
            issuerKeys:
            return [.get, .head]
        case authorize, account, forgotten, newPassword: return [.get, .head, .post]
        case runs: return [.get, .head, .post]
        case token, revoke: return [.post]
        default: break
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 2, parts[1] == "runs", !parts[2].isEmpty {
            if parts.count == 3 { return [.get, .head] }
            return parts.count == 4 && parts[3] == "cancel" ? [.post] : nil
        }
        let isTrip = parts.count == 3 && parts[1] == "trip" && !parts[2].isEmpty
        if isTrip { return [.get, .head] }
        let isReveal = parts.count == 4 && parts[1] == "trip" && !parts[2].isEmpty
        return isReveal && parts[3] == "reveal" ? [.post] : nil
    }

    /// What a path is counted as: its route, with a place holder where a trip is named; `other` where it is none.
    static func template(of path: String) -> String {
        guard methods(at: path) != nil else { return "other" }
        if path.hasPrefix(runs + "/") {
            return path.split(separator: "/").count == 3 ? cancel : run
        }
        guard path.hasPrefix("/trip/") else { return path }
        return path.hasSuffix("/reveal") && path.split(separator: "/").count == 3 ? reveal : trip
    }
}

extension RouterMethods {
    /// Answers GET and HEAD at a path; what asks for the head alone gets no text, whatever the answer is.
    func look(
        at path: RouterPath,
        _ answer: @escaping @Sendable (Request, Context) async throws -> Response
    ) {
        on(path, method: .get, use: answer)
        on(path, method: .head, use: answer)
    }
}
