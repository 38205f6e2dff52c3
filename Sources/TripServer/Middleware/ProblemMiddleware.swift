import HTTPTypes
import Hummingbird

/// Turns whatever went wrong into a problem document, and says nothing else of it.
///
/// Errors of libraries carry paths, statements and rows: their texts go nowhere.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            // Where a body was not read to its end, what follows on the connection is not a request.
            return problem.leavesBodyUnread ? problem.lastResponse : problem.response
        } catch let error as any HTTPResponseError where error.status.kind == .clientError {
            return Problem.badRequest.response
        } catch {
            return Problem.internalFault.response
        }
    }
}
