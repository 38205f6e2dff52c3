import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import TripMart

/// The backend: precomputed numbers of the served generation over HTTP.
public struct Backend: Sendable {
    private let settings: BackendSettings
    private let board: Board
    private let logger: Logger

    /// Names what is served, and how.
    ///
    /// - Parameters:
    ///   - settings: Where it listens and what it reads.
    ///   - now: The time, in seconds of UTC.
    ///   - logger: Where it says what happens.
    public init(
        _ settings: BackendSettings,
        now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.settings = settings
        self.logger = logger
        board = Board(folder: ServingFolder(MartFolder(path: settings.martPath)), now: now)
    }

    /// Serves until it is told to stop.
    public func run() async throws {
        lookForNewerGeneration()
        try await application().runService()
    }

    /// Takes up what is published now.
    func lookForNewerGeneration() {
        GenerationWatch.report(board.folder.refresh(), logger)
    }

    /// The application: the routes, and what looks for newer generations.
    func application() -> some ApplicationProtocol {
        Application(
            router: router(),
            server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port)
            ),
            services: [
                GenerationWatch(
                    folder: board.folder,
                    interval: settings.watchInterval,
                    logger: logger
                )
            ],
            onServerRunning: { [logger] channel in
                let port = channel.localAddress?.port.map { "\($0)" } ?? "unknown"
                logger.info("listening", metadata: ["port": "\(port)"])
            },
            // What libraries say of their work may quote requests.
            logger: Logger(label: "http") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The routes, behind what every answer goes through.
    func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ProblemMiddleware())
        let kpi = KPIRoute(board: board)
        let filters = FilterRoutes(board: board)
        let health = HealthRoutes(board: board)
        let contract = ContractRoute()
        router.get(RouterPath(RouteTable.kpi)) { request, _ in try kpi.answer(request) }
        router.get(RouterPath(RouteTable.months)) { request, _ in try filters.months(request) }
        router.get(RouterPath(RouteTable.tripTypes)) { request, _ in
            try filters.tripTypes(request)
        }
        router.get(RouterPath(RouteTable.regions)) { request, _ in try filters.regions(request) }
        router.get(RouterPath(RouteTable.health)) { request, _ in try health.health(request) }
        router.get(RouterPath(RouteTable.readiness)) { request, _ in
            try health.readiness(request)
        }
        router.get(RouterPath(RouteTable.contract)) { request, _ in
            try contract.answer(request)
        }
        return router
    }
}
