import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle
import TripDomain
public import TripIdentity
import TripMart
import UnixSignals

/// The backend: precomputed numbers of the served generation over HTTP.
public struct Backend: Sendable {
    private let settings: BackendSettings
    let state: ServerState
    private let metrics = Metrics()
    private let handshakes: FailedHandshakes
    private let logger: Logger
    private let signIn: SignIn?
    private let record: AccessRecord?
    /// The address users reach it at; nil where no account signs in.
    private let issuer: String?
    private let caller: @Sendable (Request) async throws -> Caller

    /// How long a connection may be idle, and a head may take to arrive.
    private static let idleTimeout = TimeAmount.seconds(30)
    private static let headerLimits = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 8 * 1024,
        maxHeaderListSize: 16 * 1024,
        maxHeaderFieldCount: 100
    )

    /// Names what is served, and how.
    ///
    /// - Parameters:
    ///   - settings: Where it listens and what it reads.
    ///   - authentication: Signs users in and verifies their tokens.
    ///   - clients: The applications that users sign in with.
    ///   - now: The time, in seconds of UTC.
    ///   - logger: The log.
    /// - Throws: ``BackendFault`` where the key file is not the mart's.
    public init(
        _ settings: BackendSettings,
        authentication: AuthenticationService,
        clients: [OAuthClient],
        now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) throws(BackendFault) {
        let bearer = BearerReading(authentication: authentication)
        let mail = settings.mail.map {
            MailQueue($0, authentication: authentication, logger: logger)
        }
        let signIn = SignIn(
            authentication: authentication,
            clients: clients,
            mail: mail,
            rateLimit: SignInRateLimit(
                perMinute: settings.perAddress.signIns,
                logger: logger
            ),
            logger: logger,
            isDemo: settings.servesGeneratedTripsOnly
        )
        do {
            try self.init(
                settings,
                now: now,
                logger: logger,
                signIn: signIn,
                record: authentication.record,
                issuer: authentication.issuer
            ) {
                request in
                try await bearer.caller(request)
            }
        } catch {
            throw BackendFault(error)
        }
    }

    /// The same, with another way to identify the caller.
    init(
        _ settings: BackendSettings,
        now: @escaping @Sendable () -> Int64,
        logger: Logger,
        signIn: SignIn? = nil,
        record: AccessRecord? = nil,
        issuer: String? = nil,
        caller: @escaping @Sendable (Request) async throws -> Caller
    ) throws(MartError) {
        let folder = MartFolder(path: settings.martPath)
        self.settings = settings
        self.logger = logger
        self.signIn = signIn
        self.record = record
        self.issuer = issuer
        self.caller = caller
        handshakes = FailedHandshakes(logger: logger)
        state = ServerState(
            folder: ServingFolder(folder),
            keyRing: try KeyRing(
                path: settings.keyPath,
                folder: folder,
                isRequired: settings.requiresKey
            ),
            now: now,
            servesGeneratedTripsOnly: settings.servesGeneratedTripsOnly
        )
    }

    /// Serves until it is told to stop.
    ///
    /// - Parameters:
    ///   - audience: Who may sign in.
    ///   - say: Receives, as soon as it listens, what the person who started it should know.
    /// - Throws: ``CertificateFault``; where it cannot listen, the error of the system.
    public func run(
        for audience: StartAudience,
        say: @escaping @Sendable ([StartLine]) -> Void
    ) async throws {
        MemoryDump.forbid()
        refresh()
        let certificate = try settings.certificate.map { try Certificate($0) }
        let registry = ConnectionRegistry(
            countMax: Self.connectionCount(),
            addressCountMax: settings.perAddress.connections,
            proxy: settings.trustedProxy
        )
        let application = application(certificate, registry, for: audience, say: say)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [GracefulStop(application: application, registry: registry)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Self.silence
            )
        )
        try await group.run()
    }

    /// For libraries, whose log lines may quote requests.
    static let silence = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() }

    /// Serves what is published now.
    func refresh() {
        GenerationWatch.note(state.folder.refresh(), state, logger)
    }

    /// The application: the routes, and the services that check for newer generations and
    /// certificates.
    private func application(
        _ certificate: Certificate?,
        _ registry: ConnectionRegistry,
        for audience: StartAudience,
        say: @escaping @Sendable ([StartLine]) -> Void
    ) -> some ApplicationProtocol {
        let always: [any Service] = [
            GenerationWatch(
                state: state,
                interval: settings.watchInterval,
                logger: logger
            ),
            FreedMemory(registry: registry),
        ]
        let worker = settings.worker.map {
            WorkerProcess(
                $0,
                martPath: settings.martPath,
                keyPath: settings.keyPath,
                logger: logger
            )
        }
        return Application(
            router: router(),
            server: server(certificate, registry),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                backlog: Self.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionsAtOnce)
            ),
            services: always
                + (certificate.map {
                    [CertificateWatch(certificate: $0, logger: logger, now: state.now)]
                } ?? [])
                + (worker.map { [$0] } ?? []) + (signIn?.services ?? []),
            onServerRunning: { channel in
                // Fails where the server is being stopped already, and then accepts no connection.
                try? await channel.setOption(.maxMessagesPerRead, value: Self.acceptsPerTurn).get()
                let port = channel.localAddress?.port ?? settings.port
                logger.info("listening", metadata: ["port": "\(port)"])
                let text = StartText(
                    state,
                    settings,
                    issuer: issuer,
                    port: port,
                    audience: audience
                )
                say(text.all)
            },
            logger: Self.silence
        )
    }

    private func server(
        _ certificate: Certificate?,
        _ registry: ConnectionRegistry
    ) -> HTTPServerBuilder {
        let fields = SecurityFields(isOverTLS: certificate != nil).fields
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ProgressHandler(registry, fields: fields)],
            idleTimeout: Self.idleTimeout,
            httpDecoderConfiguration: Self.headerLimits
        )
        return HTTPServerBuilder { responder in
            let plain = HTTP1Channel(responder: responder, configuration: configuration)
            guard let certificate else {
                // Plain HTTP serves this machine, whose browser a page elsewhere may lead here by
                // any host name.
                let hosts = HostNames(issuer: issuer)
                return RegisteredChannel(base: plain, registry: registry, hosts: hosts)
            }
            let secure = SecureChannel(
                base: plain,
                certificate: certificate,
                handshakes: handshakes
            )
            return RegisteredChannel(base: secure, registry: registry)
        }
    }

    /// The routes, behind what every answer goes through.
    func router() -> Router<BackendContext> {
        let router = Router(context: BackendContext.self, options: [])
        let requestLogger = settings.logsRequests ? logger : nil
        if let proxy = settings.trustedProxy {
            router.add(middleware: ForwardedAddress(proxy: proxy))
        }
        router.add(middleware: RequestMeter(metrics: metrics, logger: requestLogger))
        router.add(middleware: SecurityHeaders(isOverTLS: settings.certificate != nil))
        router.add(middleware: ProblemMiddleware(logger: logger))
        router.add(middleware: PlainRequests())
        addOpenRoutes(to: router)
        signIn?.addRoutes(to: router)
        let known = router.group().add(middleware: CallerMiddleware(caller: caller))
        if let record {
            known.add(middleware: RefusalNotes(record: record, now: state.now))
        }
        addRoutes(to: known)
        return router
    }

    /// Routes for every caller, signed in or not.
    private func addOpenRoutes(to router: Router<BackendContext>) {
        let health = HealthRoutes(state: state)
        let contract = ContractRoute.embedded
        router.get(at: RouterPath(RouteTable.health)) { request, _ in try health.health(request) }
        router.get(at: RouterPath(RouteTable.readiness)) { request, _ in
            try health.readiness(request)
        }
        router.get(at: RouterPath(RouteTable.contract)) { request, _ in
            try contract.answer(request)
        }
        let metrics = MetricsRoute(
            state: state,
            metrics: metrics,
            handshakes: handshakes
        )
        router.get(at: RouterPath(RouteTable.metrics)) { request, context in
            try metrics.answer(request, isLocal: context.isLocal)
        }
        for path in [RouteTable.contractPages, RouteTable.contractPage] {
            router.get(at: RouterPath(path)) { request, _ in try contract.page(request) }
        }
        let dashboard = DashboardRoute.embedded
        for path in [RouteTable.dashboard, RouteTable.screens, RouteTable.screens + "/**"] {
            router.get(at: RouterPath(path)) { request, _ in dashboard.page(request) }
        }
        router.get(at: RouterPath(RouteTable.worker)) { request, _ in dashboard.worker(request) }
        router.get(at: RouterPath(RouteTable.assets + "/**")) { request, _ in
            try dashboard.file(request)
        }
    }

    private func addRoutes(to router: RouterGroup<BackendContext>) {
        let me = MeRoute()
        let kpi = KPIRoute(state: state)
        let why = WhyRoute(state: state)
        let trips = TripsRoute(state: state)
        let trip = TripRoute(state: state)
        let filters = FilterRoutes(state: state)
        let trends = TrendsRoute(state: state)
        let changes = ChangesRoute(state: state)
        router.get(at: RouterPath(RouteTable.me)) { try me.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.kpi)) { try await kpi.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.why)) { try why.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.trends)) { try trends.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.changes)) { try await changes.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.trips)) { try await trips.answer($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.trip)) { request, context in
            let ref = try context.parameters.require("ref")
            return try await trip.answer(request, ref, context.caller)
        }
        let reveal = RevealRoute(
            state: state,
            record: record,
            limiter: RevealRoute.usualLimiter()
        )
        router.post(RouterPath(RouteTable.reveal)) { request, context in
            let ref = try context.parameters.require("ref")
            return try await reveal.answer(request, ref, context.caller)
        }
        addRuns(to: router)
        router.get(at: RouterPath(RouteTable.months)) { try filters.months($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.tripTypes)) { try filters.tripTypes($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.regions)) { try filters.regions($0, $1.caller) }
    }

    private func addRuns(to router: RouterGroup<BackendContext>) {
        let folder = MartFolder(path: settings.martPath)
        let runs = RunsRoutes(
            state: state,
            folder: folder,
            record: record,
            keepsWorker: settings.worker != nil
        )
        router.get(at: RouterPath(RouteTable.plans)) { try await runs.plans($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.runs)) { try await runs.list($0, $1.caller) }
        router.post(RouterPath(RouteTable.runs)) { try await runs.start($0, $1.caller) }
        router.get(at: RouterPath(RouteTable.run)) { request, context in
            try await runs.one(request, try context.parameters.require("id"), context.caller)
        }
        router.post(RouterPath(RouteTable.cancel)) { request, context in
            try await runs.cancel(request, try context.parameters.require("id"), context.caller)
        }
    }
}
