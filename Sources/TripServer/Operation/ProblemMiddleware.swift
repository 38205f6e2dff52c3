import HTTPTypes
import Hummingbird
import Logging
import TripIdentity
import TripMart

/// Turns every error into a problem document, which is all that the caller learns of it.
///
/// Errors of libraries quote paths, statements and rows: their texts are neither sent nor logged.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    private let logger: Logger
    private let refusals: RefusalLog

    /// - Parameter logger: Gets the code of the error.
    init(logger: Logger) {
        (self.logger, refusals) = (logger, RefusalLog(logger))
    }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            if let fault = problem.fault { log(fault.rawValue) }
            if let kind = problem.logged {
                refusals.note(kind, at: RouteTable.route(at: request.uri.path)?.template)
            }
            // Where a body was not read to its end, the bytes that follow on the connection are not
            // a request.
            return request.hasBody ? problem.lastResponse : problem.response
        } catch let error as any HTTPResponseError where error.status.kind == .clientError {
            return Problem.badRequest.lastResponse
        } catch {
            // The log names the code of our own errors, and nothing of the request.
            log((error as? MartError)?.code.rawValue ?? (error as? IdentityFault)?.code)
            return Problem.internalFault.lastResponse
        }
    }

    private func log(_ code: String?) {
        logger.error("a request failed", metadata: ["code": "\(code ?? "internal")"])
    }
}

extension Request {
    /// Whether bytes follow the head.
    var hasBody: Bool {
        headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
    }
}

/// Refuses paths without a route, methods it does not have, and bodies that no route reads;
/// ``RequestValidation`` has checked the form of the request.
struct PlainRequests: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        // The router overlooks repeated slashes, which a proxy in front may not.
        guard let methods = context.route?.methods else { throw Problem.notFound }
        guard methods.contains(request.method) else { throw Problem.methodNotAllowed(methods) }
        // No route reads it, and a client that sends it slowly would keep the connection for as
        // long.
        guard request.method == .post || !request.hasBody else { throw Problem.badRequest }
        return try await next(request, context)
    }
}
