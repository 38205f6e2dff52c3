import HTTPTypes
import Hummingbird

/// Refuses requests that come in a way no client of ours uses, and that proxies read in more than one way;
/// and what there is no route for.
struct PlainRequests<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Where a body ends under another coding, a proxy in front may see otherwise (RFC 9112 §6.1).
        let coding = request.headers[.transferEncoding]
        guard coding == nil || coding?.lowercased() == "chunked" else {
            return Problem.badRequest.lastResponse
        }
        // The router overlooks slashes too many, which what stands in front may not.
        guard let methods = RouteTable.methods(at: request.uri.path) else { throw Problem.notFound }
        guard methods.contains(request.method) else { throw Problem.methodNotAllowed(methods) }
        // Nobody reads it, and who sends it slowly would keep the connection for as long.
        guard request.method == .post || !request.hasBody else { throw Problem.badRequest }
        return try await next(request, context)
    }
}
