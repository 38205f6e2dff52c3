import HTTPTypes
import Hummingbird

/// Every path the server answers, and by which methods.
enum RouteTable {
    static let me = "/me"
    static let kpi = "/kpi"
    static let why = "/kpi/why"
    static let trends = "/kpi/trends"
    static let changes = "/kpi/changes"
    static let trips = "/trips"
    static let trip = "/trip/{ref}"
    static let reveal = "/trip/{ref}/reveal"
    static let plans = "/plans"
    static let runs = "/runs"
    static let run = "/runs/{id}"
    static let cancel = "/runs/{id}/cancel"
    static let months = "/months"
    static let tripTypes = "/trip-types"
    static let regions = "/regions"
    static let health = "/healthz"
    static let readiness = "/readyz"
    static let contract = "/openapi.yaml"
    static let contractPages = "/api"
    static let contractPage = "/api/{page}"
    static let dashboard = "/"
    static let screens = "/app"
    static let assets = "/assets"
    static let worker = "/service-worker.js"
    static let metrics = "/metrics"
    static let authorize = "/authorize"
    static let token = "/token"
    static let revoke = "/revoke"
    static let account = "/account"
    static let forgotten = "/forgotten"
    static let newPassword = "/new-password"
    static let issuer = "/.well-known/oauth-authorization-server"
    static let issuerKeys = "/.well-known/jwks.json"

    /// A path and its methods.
    struct Route: Sendable, Equatable {
        /// What requests to it are counted as: the path, with a placeholder for the name of a trip,
        /// a run or a page.
        let template: String
        /// The methods it knows.
        let methods: [HTTPRequest.Method]
    }

    /// The route of a path; nil where there is none.
    static func route(at path: String) -> Route? {
        if let route = fixed[path] { return route }
        for folder in [screens, assets] where path.hasPrefix(folder + "/") {
            return Route(template: folder + "/…", methods: [.get, .head])
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), parts[0].isEmpty, !parts[2].isEmpty else { return nil }
        return named.first { _, words in
            words.count == parts.count
                && zip(words, parts).allSatisfy { $0.isEmpty || $0.elementsEqual($1) }
        }?.route
    }

    private static let fixed: [String: Route] = {
        let readOnly = [
            me, kpi, why, trends, changes, trips, plans, months, tripTypes, regions, health,
            readiness,
            contract, contractPages, dashboard, screens, worker, metrics, issuer, issuerKeys,
        ]
        let both = [authorize, account, forgotten, newPassword, runs]
        let routes =
            readOnly.map { Route(template: $0, methods: [.get, .head]) }
            + both.map { Route(template: $0, methods: [.get, .head, .post]) }
            + [token, revoke].map { Route(template: $0, methods: [.post]) }
        return Dictionary(uniqueKeysWithValues: routes.map { ($0.template, $0) })
    }()

    /// Those that name a trip, a run or a page, and their words; none where the name is.
    private static let named: [(route: Route, words: [[UInt8]])] = {
        let readOnly = [trip, run, contractPage].map {
            Route(template: $0, methods: [.get, .head])
        }
        let posted = [reveal, cancel].map { Route(template: $0, methods: [.post]) }
        return (readOnly + posted).map { route in
            let words = route.template.split(separator: "/", omittingEmptySubsequences: false)
            return (route, words.map { $0.hasPrefix("{") ? [] : Array($0.utf8) })
        }
    }()
}

extension RouterMethods {
    /// Answers GET and HEAD at a path; an answer to HEAD has no text, whatever it is.
    func get(
        at path: RouterPath,
        _ answer: @escaping @Sendable (Request, Context) async throws -> Response
    ) {
        on(path, method: .get, use: answer)
        on(path, method: .head, use: answer)
    }
}
