import Hummingbird
import Logging
import TripIdentity

/// The paths by which people get in, and applications get tokens.
struct SignIn: Sendable {
    let authority: Authority
    let clients: [OAuthClient]
    /// What sends letters to those who have forgotten their password; nil where nothing does.
    let letters: LetterRoom?
    let logger: Logger

    /// Adds them to what anybody may ask.
    func addRoutes(to router: Router<BackendContext>) {
        let page = AuthorizeRoute(
            authority: authority,
            clients: clients,
            canForget: letters != nil,
            logger: logger
        )
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
        addAccount(to: router)
        router.get(RouterPath(RouteTable.issuer)) { request, _ in try issuer.metadata(request) }
        router.get(RouterPath(RouteTable.issuerKeys)) { request, _ in
            try await issuer.keys(request)
        }
    }

    private func addAccount(to router: Router<BackendContext>) {
        let account = AccountRoute(
            authority: authority,
            canForget: letters != nil,
            logger: logger
        )
        router.get(RouterPath(RouteTable.account)) { request, _ in try account.page(request) }
        router.post(RouterPath(RouteTable.account)) { request, _ in
            try await account.answer(request)
        }
        let forgotten = ForgottenRoute(authority: authority, letters: letters)
        router.get(RouterPath(RouteTable.forgotten)) { request, _ in try forgotten.page(request) }
        router.post(RouterPath(RouteTable.forgotten)) { request, _ in
            try await forgotten.send(request)
        }
        router.get(RouterPath(RouteTable.newPassword)) { request, _ in
            try await forgotten.newPasswordPage(request)
        }
        router.post(RouterPath(RouteTable.newPassword)) { request, _ in
            try await forgotten.setPassword(request)
        }
    }
}
