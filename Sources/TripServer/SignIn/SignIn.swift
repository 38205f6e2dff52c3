import Hummingbird
import Logging
import TripIdentity

/// The paths by which people get in, and applications get tokens.
struct SignIn: Sendable {
    let authority: Authority
    let clients: [OAuthClient]
    let logger: Logger

    /// Adds them to what anybody may ask.
    func addRoutes(to router: Router<BackendContext>) {
        let page = AuthorizeRoute(authority: authority, clients: clients, logger: logger)
        let tokens = TokenRoutes(authority: authority, clients: clients, logger: logger)
        let issuer = IssuerRoutes(authority: authority)
        router.get(RouterPath(RouteTable.authorize)) { request, _ in try page.page(request) }
        router.post(RouterPath(RouteTable.authorize)) { request, _ in
            try await page.signIn(request)
        }
        router.post(RouterPath(RouteTable.token)) { request, _ in try await tokens.token(request) }
        router.post(RouterPath(RouteTable.revoke)) { request, _ in
            try await tokens.revoke(request)
        }
        router.get(RouterPath(RouteTable.issuer)) { request, _ in try issuer.metadata(request) }
        router.get(RouterPath(RouteTable.issuerKeys)) { request, _ in
            try await issuer.keys(request)
        }
    }
}
