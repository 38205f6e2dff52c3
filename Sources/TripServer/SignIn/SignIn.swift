import Hummingbird
import Logging
import ServiceLifecycle
import TripIdentity

/// The paths by which people get in, and applications get tokens.
struct SignIn: Sendable {
    let authority: Authority
    let clients: [OAuthClient]
    /// What sends letters to people about their accounts; nil where nothing does.
    let letters: LetterRoom?
    /// How fast passwords may come from one address.
    let pace: SignInPaceMiddleware
    let logger: Logger

    /// What goes on beside them.
    var services: [any Service] {
        let watch = IssuerKeysWatch(authority: authority, logger: logger)
        return (letters.map { [$0] } ?? []) + (authority.isForeign ? [watch] : [])
    }

    /// Adds them to what anybody may ask.
    func addRoutes(to router: Router<BackendContext>) {
        let tokens = TokenRoutes(authority: authority, clients: clients, logger: logger)
        router.post(RouterPath(RouteTable.revoke)) { request, _ in
            try await tokens.revoke(request)
        }
        if authority.isForeign { return addNothing(to: router) }
        let page = AuthorizeRoute(
            authority: authority,
            clients: clients,
            canForget: letters != nil,
            logger: logger
        )
        let issuer = IssuerRoutes(authority: authority)
        let pages = pages(of: router)
        pages.look(at: RouterPath(RouteTable.authorize)) { request, _ in try page.page(request) }
        let slowed = pages.group().add(middleware: pace)
        slowed.post(RouterPath(RouteTable.authorize)) { request, _ in
            try await page.signIn(request)
        }
        router.post(RouterPath(RouteTable.token)) { request, _ in try await tokens.token(request) }
        addAccount(to: slowed)
        router.look(at: RouterPath(RouteTable.issuer)) { request, _ in try issuer.metadata(request)
        }
        router.look(at: RouterPath(RouteTable.issuerKeys)) { request, _ in
            try await issuer.keys(request)
        }
    }

    /// Nothing where people would sign in: they do so at another server.
    private func addNothing(to router: Router<BackendContext>) {
        let pages = pages(of: router)
        for path in [
            RouteTable.authorize, RouteTable.account, RouteTable.forgotten, RouteTable.newPassword,
        ] {
            pages.look(at: RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
            pages.post(RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
        }
        for path in [RouteTable.issuer, RouteTable.issuerKeys] {
            router.look(at: RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
        }
        router.post(RouterPath(RouteTable.token)) { _, _ -> Response in throw Problem.notFound }
    }

    /// Where the pages are that people see: what goes wrong there is a problem first, and a page to who wants one.
    private func pages(of router: Router<BackendContext>) -> RouterGroup<BackendContext> {
        router.group()
            .add(middleware: PageProblems())
            .add(middleware: ProblemMiddleware<BackendContext>(logger: logger))
    }

    private func addAccount(to router: RouterGroup<BackendContext>) {
        let account = AccountRoute(
            authority: authority,
            letters: letters,
            logger: logger
        )
        router.look(at: RouterPath(RouteTable.account)) { request, _ in try account.page(request) }
        router.post(RouterPath(RouteTable.account)) { request, _ in
            try await account.answer(request)
        }
        let forgotten = ForgottenRoute(authority: authority, letters: letters)
        router.look(at: RouterPath(RouteTable.forgotten)) { request, _ in
            try forgotten.page(request)
        }
        router.post(RouterPath(RouteTable.forgotten)) { request, _ in
            try await forgotten.send(request)
        }
        router.look(at: RouterPath(RouteTable.newPassword)) { request, _ in
            try await forgotten.newPasswordPage(request)
        }
        router.post(RouterPath(RouteTable.newPassword)) { request, _ in
            try await forgotten.setPassword(request)
        }
    }
}
