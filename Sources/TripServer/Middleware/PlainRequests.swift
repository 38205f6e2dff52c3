import HTTPTypes
import Hummingbird

/// Refuses what there is no route for, and bodies that nobody asked for; how a request is written, ``RequestGate`` has seen.
struct PlainRequests: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        // The router overlooks slashes too many, which what stands in front may not.
        guard let methods = context.route?.methods else { throw Problem.notFound }
        guard methods.contains(request.method) else { throw Problem.methodNotAllowed(methods) }
        // Nobody reads it, and who sends it slowly would keep the connection for as long.
        guard request.method == .post || !request.hasBody else { throw Problem.badRequest }
        return try await next(request, context)
    }
}
