import HTTPTypes
import Hummingbird

/// `GET /openapi.yaml`, `/api` and `/api/{page}`: the contract, for programs and for users.
struct ContractRoute {
    private let contract = FixedAnswer(
        PackageResources.health_dashboard_yaml,
        mediaType: "application/yaml"
    )
    private let pages = Self.allPages()
    private let policy = Self.pagePolicy()

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
    private static func allPages() -> [String: FixedAnswer] {
        let style = String(decoding: PackageResources.page_css, as: UTF8.self)
        let script = String(decoding: PackageResources.try_js, as: UTF8.self)
        let file = String(decoding: PackageResources.contract_html, as: UTF8.self)
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
        var policy = PagePolicy(style: PackageResources.page_css)
        policy.allow(script: PackageResources.try_js)
        policy.allowRequests()
        return policy.text
    }
}
