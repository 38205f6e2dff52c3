import HTTPTypes
import Hummingbird

/// Answers somebody in a browser with a page where a program gets a problem document.
///
/// It goes around what makes the document, which stays the one place where faults are told apart and logged: of a fault
/// the page says no more than its status does.
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
        // What else the problem says in its head, such as when to come again.
        for field in answer.headers where page.headers[field.name] == nil {
            page.headers.append(field)
        }
        return page
    }

    /// What somebody reads at a status.
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
                "Ask whoever looks after the accounts where you sign in, or for a new password."
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
                "The server could not do what you asked for. Try again in a few minutes. If it goes on, tell whoever looks after the server."
            )
        default:
            .word(
                "This link does not work",
                "The link is not whole, or comes from an application that is not known here. Go back and begin again. If it goes on, tell whoever looks after the application."
            )
        }
    }
}

extension Request {
    /// Whether its sender would rather read a page than what is for programs (RFC 9110 §12.5.1).
    ///
    /// Browsers name pages; who takes everything alike is a program.
    var prefersPages: Bool {
        weight(of: "text/html")
            > max(weight(of: "application/problem+json"), weight(of: "application/json"))
    }

    /// How much a type is wanted, from 0 to 1, by what says most of it: its own name, that of its kind, or the one of all.
    private func weight(of type: String) -> Double {
        let kind = type.prefix { $0 != "/" }
        let names = ["*/*", "\(kind)/*", type]
        var found = (rank: 0, weight: 0.0)
        for entry in headers[values: .accept].flatMap({ $0.split(separator: ",") }) {
            let parts = entry.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let name = parts.first, let rank = names.firstIndex(of: name),
                rank >= found.rank
            else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
                Double($0.dropFirst(2))
            }
            // A weight that cannot be read is none.
            found = (rank, (weight ?? 1) ?? 0)
        }
        return found.weight
    }
}
