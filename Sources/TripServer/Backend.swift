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
    let board: Board
    private let metrics = Metrics()
    private let tally: ConnectionTally
    private let logger: Logger
    private let signIn: SignIn?
    private let record: AccessRecord?
    /// Where people reach it; nil where nobody signs in.
    private let issuer: String?
    private let caller: @Sendable (Request) async throws -> Caller

    /// How long a connection may say nothing, and a request may take to arrive.
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
    ///   - authority: Who says who somebody is.
    ///   - clients: The applications that people sign in with.
    ///   - now: The time, in seconds of UTC.
    ///   - logger: Where it says what happens.
    /// - Throws: ``BackendFault`` where the key file is not the mart's.
    public init(
        _ settings: BackendSettings,
        authority: Authority,
        clients: [OAuthClient],
        now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) throws(BackendFault) {
        let bearer = BearerReading(authority: authority)
        let letters = settings.mail.map {
            LetterRoom($0, authority: authority, logger: logger)
        }
        let signIn = SignIn(
            authority: authority,
            clients: clients,
            letters: letters,
            pace: SignInPaceMiddleware(
                pace: SignInPace(perMinute: settings.perAddress.signIns),
                logger: logger
            ),
            logger: logger
        )
        do {
            try self.init(
                settings,
                now: now,
                logger: logger,
                signIn: signIn,
                record: authority.record,
                issuer: authority.issuer
            ) {
                request in
                try await bearer.caller(request)
            }
        } catch {
            throw BackendFault(error)
        }
    }

    /// The same for callers that are told apart.
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
        tally = ConnectionTally(logger: logger)
        board = Board(
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
    public func run() async throws {
        MemoryDump.forbid()
        lookForNewerGeneration()
        if board.folder.current == nil, !board.isFallenBack {
            logger.warning("nothing is published yet")
        }
        let certificate = try settings.certificate.map { try Certificate($0) }
        let book = ConnectionBook(
            countMax: Self.connectionCount(),
            addressCountMax: settings.perAddress.connections
        )
        let application = application(certificate, book)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [BoundedEnd(application: application, book: book)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Self.silence
            )
        )
        try await group.run()
    }

    /// What libraries say of their work may quote requests.
    static let silence = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() }

    /// Takes up what is published now.
    func lookForNewerGeneration() {
        GenerationWatch.note(board.folder.refresh(), board, logger)
    }

    /// The application: the routes, and what looks for newer generations and certificates.
    private func application(
        _ certificate: Certificate?,
        _ book: ConnectionBook
    ) -> some ApplicationProtocol {
        let always: [any Service] = [
            GenerationWatch(
                board: board,
                interval: settings.watchInterval,
                logger: logger
            ),
            FreedMemory(book: book),
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
            server: server(certificate, book),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                backlog: Intake.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionsAtOnce)
            ),
            services: always
                + (certificate.map {
                    [CertificateWatch(certificate: $0, logger: logger, now: board.now)]
                } ?? [])
                + (worker.map { [$0] } ?? []) + (signIn?.services ?? []),
            onServerRunning: { [logger, tally, board] channel in
                // Where it is being closed already, nobody comes.
                let hasFewWait = try? await NewcomerGate.add(
                    to: channel,
                    tally: tally,
                    book: book,
                    files: board.files
                )
                if hasFewWait == false {
                    logger.warning("crowds are not held back: the listening socket is not found")
                }
                let port = channel.localAddress?.port.map { "\($0)" } ?? "unknown"
                logger.info("listening", metadata: ["port": "\(port)"])
            },
            logger: Self.silence
        )
    }

    private func server(
        _ certificate: Certificate?,
        _ book: ConnectionBook
    ) -> HTTPServerBuilder {
        let fields = SecurityFields(isOverTLS: certificate != nil).fields
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ProgressHandler(book, fields: fields)],
            idleTimeout: Self.idleTimeout,
            httpDecoderConfiguration: Self.headerLimits
        )
        return HTTPServerBuilder { responder in
            let plain = HTTP1Channel(responder: responder, configuration: configuration)
            guard let certificate else {
                // In plain text it serves this machine, whose browser may be led here under any name.
                let hosts = HostNames(issuer: issuer)
                return BookedChannel(base: plain, book: book, hosts: hosts)
            }
            let secure = SecureChannel(
                base: plain,
                certificate: certificate,
                tally: tally,
                book: book
            )
            return BookedChannel(base: secure, book: book)
        }
    }

    /// The routes, behind what every answer goes through.
    func router() -> Router<BackendContext> {
        let router = Router(context: BackendContext.self, options: [])
        let requestLogger = settings.logsRequests ? logger : nil
        router.add(middleware: RequestMeter(metrics: metrics, logger: requestLogger))
        router.add(middleware: SecurityHeaders(isOverTLS: settings.certificate != nil))
        router.add(middleware: ProblemMiddleware(logger: logger))
        router.add(middleware: PlainRequests())
        addOpenRoutes(to: router)
        signIn?.addRoutes(to: router)
        let known = router.group().add(middleware: CallerMiddleware(caller: caller))
        if let record {
            known.add(middleware: RefusalNotes(record: record, now: board.now))
        }
        addRoutes(to: known)
        return router
    }

    /// What anybody may ask, whoever they are.
    private func addOpenRoutes(to router: Router<BackendContext>) {
        let health = HealthRoutes(board: board)
        let contract = ContractRoute()
        router.look(at: RouterPath(RouteTable.health)) { request, _ in try health.health(request) }
        router.look(at: RouterPath(RouteTable.readiness)) { request, _ in
            try health.readiness(request)
        }
        router.look(at: RouterPath(RouteTable.contract)) { request, _ in
            try contract.answer(request)
        }
        let metrics = MetricsRoute(
            board: board,
            metrics: metrics,
            tally: tally
        )
        router.look(at: RouterPath(RouteTable.metrics)) { request, context in
            try metrics.answer(request, isLocal: context.isLocal)
        }
        router.look(at: RouterPath(RouteTable.page)) { request, _ in contract.page(request) }
    }

    private func addRoutes(to router: RouterGroup<BackendContext>) {
        let kpi = KPIRoute(board: board)
        let trips = TripsRoute(board: board)
        let trip = TripRoute(board: board)
        let filters = FilterRoutes(board: board)
        router.look(at: RouterPath(RouteTable.kpi)) { try kpi.answer($0, $1.caller) }
        router.look(at: RouterPath(RouteTable.trips)) { try await trips.answer($0, $1.caller) }
        router.look(at: RouterPath(RouteTable.trip)) { request, context in
            let ref = try context.parameters.require("ref")
            return try await trip.answer(request, ref, context.caller)
        }
        let reveal = RevealRoute(
            board: board,
            record: record,
            pace: RevealPace()
        )
        router.post(RouterPath(RouteTable.reveal)) { request, context in
            let ref = try context.parameters.require("ref")
            return try await reveal.answer(request, ref, context.caller)
        }
        addRuns(to: router)
        router.look(at: RouterPath(RouteTable.months)) { try filters.months($0, $1.caller) }
        router.look(at: RouterPath(RouteTable.tripTypes)) { try filters.tripTypes($0, $1.caller) }
        router.look(at: RouterPath(RouteTable.regions)) { try filters.regions($0, $1.caller) }
    }

    private func addRuns(to router: RouterGroup<BackendContext>) {
        let folder = MartFolder(path: settings.martPath)
        let runs = RunsRoutes(board: board, folder: folder, record: record)
        router.look(at: RouterPath(RouteTable.runs)) { try await runs.list($0, $1.caller) }
        router.post(RouterPath(RouteTable.runs)) { try await runs.start($0, $1.caller) }
        router.look(at: RouterPath(RouteTable.run)) { request, context in
            try await runs.one(request, try context.parameters.require("id"), context.caller)
        }
        router.post(RouterPath(RouteTable.cancel)) { request, context in
            try await runs.cancel(request, try context.parameters.require("id"), context.caller)
        }
    }
}
