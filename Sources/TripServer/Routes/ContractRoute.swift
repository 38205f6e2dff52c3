import HTTPTypes
import Hummingbird

/// `GET /openapi.yaml`, `/api` and `/api/{page}`: the contract, for programs and for users.
struct ContractRoute {
    /// The contract within the program: its pages are made once a process, at the first use.
    static let embedded = ContractRoute()

    private let contract = FixedAnswer(
        Array(EmbeddedFiles.text("API/health-dashboard.yaml").utf8),
        mediaType: "application/yaml"
    )
    private let pages: [String: FixedAnswer]
    private let policy: String

    private init() {
        let style = EmbeddedFiles.text("SignIn/Pages/page.css")
        let script = EmbeddedFiles.text("SignIn/Pages/try.js")
        pages = Self.pages(style: style, script: script)
        var policy = PagePolicy(style: style)
        policy.allow(script: script)
        policy.allowRequests()
        self.policy = policy.text
    }

    func answer(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return contract.response(to: request)
    }

    /// A page, on which users can also sign in and send requests.
    ///
    /// - Parameter request: The request; its query is what came of a sign-in, which the page itself
    ///   reads.
    /// - Returns: The page.
    /// - Throws: `Problem` where no page has the path.
    func page(_ request: Request) throws(Problem) -> Response {
        guard let page = pages[request.uri.path] else { throw .notFound }
        var response = page.response(to: request)
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    /// The pages by their paths.
    ///
    /// They lie in one file, each after a line with its path. Style and script are put in here, so
    /// that they are to the letter what the policy allows.
    private static func pages(style: String, script: String) -> [String: FixedAnswer] {
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
}
