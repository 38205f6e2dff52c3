import HTTPTypes
import Hummingbird

/// `GET /openapi.yaml`, `/api` and `/api/{page}`: the contract, for programs and for users.
struct ContractRoute {
    private static let contract = FixedAnswer(
        Array(EmbeddedFiles.text("API/health-dashboard.yaml").utf8),
        mediaType: "application/yaml"
    )
    private static let style = EmbeddedFiles.text("SignIn/Pages/page.css")
    private static let script = EmbeddedFiles.text("SignIn/Pages/try.js")
    private static let pages = allPages()
    private static let policy = pagePolicy()

    func answer(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return Self.contract.response(to: request)
    }

    /// A page, on which users can also sign in and send requests.
    ///
    /// - Parameter request: The request; its query is what came of a sign-in, which the page itself
    ///   reads.
    /// - Returns: The page.
    /// - Throws: `Problem` where no page has the path.
    func page(_ request: Request) throws(Problem) -> Response {
        guard let page = Self.pages[request.uri.path] else { throw .notFound }
        var response = page.response(to: request)
        response.headers[.contentSecurityPolicy] = Self.policy
        return response
    }

    /// The pages by their paths.
    ///
    /// They lie in one file, each after a line with its path. Style and script are put in here, so
    /// that they are to the letter what the policy allows.
    private static func allPages() -> [String: FixedAnswer] {
        let file = EmbeddedFiles.text("SignIn/Pages/contract.html")
        var pages: [String: FixedAnswer] = [:]
        for part in file.split(separator: "<!-- page ") {
            guard let mark = part.firstRange(of: " -->\n") else { continue }
            let page = part[mark.upperBound...]
                .replacing("<style></style>", with: "<style>" + style + "</style>")
                .replacing("<script></script>", with: "<script>" + script + "</script>")
            pages[String(part[..<mark.lowerBound])] = FixedAnswer(
                Array(page.utf8),
                mediaType: "text/html; charset=utf-8"
            )
        }
        return pages
    }

    private static func pagePolicy() -> String {
        var policy = PagePolicy(style: style)
        policy.allow(script: script)
        policy.allowRequests()
        return policy.text
    }
}
