import Hummingbird

/// What is known of a request beside its text: who asks.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var caller = Caller.nobody

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
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
