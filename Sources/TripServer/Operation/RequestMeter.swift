import HTTPTypes
import Hummingbird
import Logging

/// Counts and logs every request: its route template, method and status, and how long it took.
///
/// Paths, queries, headers and names stand in neither: they may name trips, regions or people.
struct RequestMeter: RouterMiddleware {
    let metrics: Metrics
    /// Where requests are logged; nil for nowhere.
    let logger: Logger?

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        context.route = RouteTable.route(at: request.uri.path)
        let response = try await next(request, context)
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        // What is none of ours is not repeated: a path or a method may be any word.
        let isKnown = context.route?.methods.contains(request.method) ?? false
        let kind = Metrics.Kind(
            route: context.route?.template ?? "other",
            method: isKnown ? request.method.rawValue : "other",
            status: response.status.code
        )
        metrics.count(kind, nanoseconds: nanoseconds)
        logger?.info(
            "request",
            metadata: [
                "route": "\(kind.route)", "method": "\(kind.method)", "status": "\(kind.status)",
                "microseconds": "\(nanoseconds / 1000)",
            ]
        )
        return response
    }
}
