import HTTPTypes
import Hummingbird
import Logging
import TripIdentity
import TripMart

/// Turns whatever went wrong into a problem document, and says nothing else of it.
///
/// Errors of libraries carry paths, statements and rows: their texts go nowhere.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    private let logger: Logger
    private let refusals: RefusalLog

    /// - Parameter logger: Where the code of what went wrong goes.
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
            // Where a body was not read to its end, what follows on the connection is not a request.
            return request.hasBody ? problem.lastResponse : problem.response
        } catch let error as any HTTPResponseError where error.status.kind == .clientError {
            return Problem.badRequest.lastResponse
        } catch {
            // Which of ours it was is all that is said of it, and which path asked.
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
