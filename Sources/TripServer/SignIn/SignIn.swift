import Hummingbird
import Logging
import ServiceLifecycle
import TripIdentity

/// The paths by which users sign in, and applications get tokens.
struct SignIn: Sendable {
    let authentication: AuthenticationService
    let clients: [OAuthClient]
    /// Sends e-mail to users about their accounts; nil where none is sent.
    let mail: MailQueue?
    /// How often passwords may come from one address.
    let rateLimit: SignInRateLimit
    let logger: Logger
    /// Whether its accounts are those of a demo, which its pages name.
    var isDemo = false

    /// The services that run beside them.
    var services: [any Service] {
        let watch = IssuerKeysWatch(authentication: authentication, logger: logger)
        return (mail.map { [$0] } ?? []) + (authentication.hasExternalIssuer ? [watch] : [])
    }

    /// Adds them to the routes for every caller.
    func addRoutes(to router: Router<BackendContext>) {
        let tokens = TokenRoutes(authentication: authentication, clients: clients, logger: logger)
        router.post(RouterPath(RouteTable.revoke)) { request, _ in
            try await tokens.revoke(request)
        }
        if authentication.hasExternalIssuer { return addNothing(to: router) }
        let page = AuthorizeRoute(
            authentication: authentication,
            clients: clients,
            canForget: mail != nil,
            logger: logger,
            isDemo: isDemo
        )
        let issuer = IssuerRoutes(authentication: authentication)
        let pages = pages(of: router)
        pages.get(at: RouterPath(RouteTable.authorize)) { request, _ in try page.page(request) }
        let limited = pages.group().add(middleware: rateLimit)
        limited.post(RouterPath(RouteTable.authorize)) { request, _ in
            try await page.signIn(request)
        }
        router.post(RouterPath(RouteTable.token)) { request, _ in try await tokens.token(request) }
        addAccount(to: limited)
        router.get(at: RouterPath(RouteTable.issuer)) { request, _ in try issuer.metadata(request)
        }
        router.get(at: RouterPath(RouteTable.issuerKeys)) { request, _ in
            try await issuer.keys(request)
        }
    }

    /// Answers 404 at the paths of signing in, which users do at another server.
    private func addNothing(to router: Router<BackendContext>) {
        let pages = pages(of: router)
        for path in [
            RouteTable.authorize, RouteTable.account, RouteTable.forgotten, RouteTable.newPassword,
        ] {
            pages.get(at: RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
            pages.post(RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
        }
        for path in [RouteTable.issuer, RouteTable.issuerKeys] {
            router.get(at: RouterPath(path)) { _, _ -> Response in throw Problem.notFound }
        }
        router.post(RouterPath(RouteTable.token)) { _, _ -> Response in throw Problem.notFound }
    }

    /// The routes with pages: an error there becomes a problem document first, and then a page for
    /// a browser.
    private func pages(of router: Router<BackendContext>) -> RouterGroup<BackendContext> {
        router.group()
            .add(middleware: PageProblems())
            .add(middleware: ProblemMiddleware<BackendContext>(logger: logger))
    }

    private func addAccount(to router: RouterGroup<BackendContext>) {
        let account = AccountRoute(
            authentication: authentication,
            mail: mail,
            logger: logger,
            isDemo: isDemo
        )
        router.get(at: RouterPath(RouteTable.account)) { request, _ in try account.page(request) }
        router.post(RouterPath(RouteTable.account)) { request, _ in
            try await account.answer(request)
        }
        let reset = PasswordResetRoute(authentication: authentication, mail: mail)
        router.get(at: RouterPath(RouteTable.forgotten)) { request, _ in
            try reset.page(request)
        }
        router.post(RouterPath(RouteTable.forgotten)) { request, _ in
            try await reset.send(request)
        }
        router.get(at: RouterPath(RouteTable.newPassword)) { request, _ in
            try await reset.newPasswordPage(request)
        }
        router.post(RouterPath(RouteTable.newPassword)) { request, _ in
            try await reset.setPassword(request)
        }
    }
}

/// Limits the passwords and names that come from one address.
struct SignInRateLimit: RouterMiddleware {
    private let limiter: RateLimiter<NetworkAddress>
    private let refusals: RefusalLog

    /// - Parameters:
    ///   - perMinute: Tries within a minute; 0 is no limit.
    ///   - logger: Logs that the limit was exceeded.
    init(perMinute: Int, logger: Logger) {
        limiter = RateLimiter(perMinute, per: 60)
        refusals = RefusalLog(logger)
    }

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post, let address = context.address,
            let seconds = limiter.wait(address, at: Uptime.seconds)
        else { return try await next(request, context) }
        refusals.note(.rateLimited, at: context.route?.template)
        let page = Page.word(
            "Wait a moment",
            "Many tries come from where you are. Wait a minute, then try again."
        )
        // The form is not read, nor waited for.
        return page.response(.tooManyRequests, retryAfter: seconds, isLast: true)
    }
}

/// An application that users sign in with; it runs where it can keep no secret.
public struct OAuthClient: Sendable, Hashable {
    /// What it calls itself.
    public let id: String
    /// The addresses that codes may be sent to, compared exactly.
    public let redirectURIs: Set<String>

    /// Names a client and where it may be answered.
    public init(id: String, redirectURIs: Set<String>) {
        (self.id, self.redirectURIs) = (id, redirectURIs)
    }

    /// Whether an address may be one that codes are sent to: HTTPS, or this very machine.
    ///
    /// - Parameter address: The address.
    /// - Returns: Whether it is whole, without a fragment, and of one of these.
    public static func mayRedirect(to address: String) -> Bool {
        let isPlain = address.utf8.allSatisfy { (0x21...0x7e).contains($0) && !$0.isMarkup }
        guard isPlain, !address.contains("#"), let origin = WebOrigin(of: address),
            !origin.text.contains("@"), !origin.host.isEmpty
        else { return false }
        return origin.scheme == "https" || origin.isLoopback
    }
}

extension UInt8 {
    /// Whether it has a meaning in HTML or in a header.
    fileprivate var isMarkup: Bool { "<>\"'\\;,`".utf8.contains(self) }
}
