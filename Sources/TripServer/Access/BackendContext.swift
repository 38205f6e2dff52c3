import Hummingbird
import NIOCore

/// What is known of a request beside its text: who asks.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var caller = Caller.nobody
    /// What is at the path that is asked for; nil where there is nothing.
    var route: RouteTable.Route?
    private let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }

    /// Where the request comes from; nil where that is unknown.
    var address: NetworkAddress? { NetworkAddress(peer?.ipAddress) }

    /// Whether a program on this machine asks.
    var isLocal: Bool { peer?.ipAddress.map(Self.isLoopback) ?? false }

    /// Whether it is this machine's own: 127.0.0.0/8, ::1, or the former written as the latter.
    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}

/// Finds out who asks before anything is answered.
struct CallerMiddleware: RouterMiddleware {
    /// Tells the caller of a request, or refuses it.
    let caller: @Sendable (Request) async throws -> Caller

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = try await caller(request)
        return try await next(request, context)
    }
}
