import HTTPTypes
import Hummingbird

/// Answers a browser with a page where a program gets a problem document.
///
/// It stands around the middleware that makes the document, which stays the one that logs errors:
/// of an error the page says no more than its status does.
struct PageProblems: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        let answer = try await next(request, context)
        guard answer.headers[.contentType] == "application/problem+json", request.prefersPages
        else { return answer }
        var page = Self.page(answer.status).response(
            answer.status,
            isLast: answer.headers[.connection] == "close"
        )
        // The other headers of the problem, such as when to try again.
        for field in answer.headers where page.headers[field.name] == nil {
            page.headers.append(field)
        }
        return page
    }

    /// The page of a status.
    static func page(_ status: HTTPResponse.Status) -> Page {
        switch status {
        case .forbidden:
            .word(
                "Nothing was done",
                "What your browser sent came from the page of another site. Open the page here, then try again."
            )
        case .notFound:
            .word(
                "This page is not in use",
                "Ask your administrator where you sign in, or for a new password."
            )
        case .requestTimeout:
            .word(
                "That took too long",
                "What your browser sent did not arrive as a whole. Go back, then try again."
            )
        case .contentTooLarge:
            .word(
                "That is too much",
                "What you sent is longer than anything that is asked for here. Go back, then send less."
            )
        case _ where status.kind == .serverError:
            .word(
                "Something went wrong here",
                "The server could not do what you asked for. Try again in a few minutes. If it goes on, tell your administrator."
            )
        default:
            .word(
                "This link does not work",
                "The link is not whole, or comes from an application that is not known here. Go back and begin again. If it goes on, tell your administrator."
            )
        }
    }
}
