import HTTPTypes
import Hummingbird

/// `GET /openapi.yaml` and `/`: the contract, for programs and for users.
struct ContractRoute {
    private let texts = Self.texts(PackageResources.health_dashboard_yaml)
    private let contract = Answer(
        EntityTag(content: PackageResources.health_dashboard_yaml),
        mediaType: "application/yaml"
    )
    private let pageTexts = Self.texts(PackageResources.contract_html)
    private let page = Answer(
        EntityTag(content: PackageResources.contract_html),
        mediaType: "text/html; charset=utf-8"
    )
    private let policy = Self.pagePolicy()

    func answer(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return contract.unchanged(request) ?? contract.response(texts(request))
    }

    /// The page, on which users can also sign in and send requests.
    ///
    /// - Parameter request: The request; its query is what came of a sign-in, which the page itself
    ///   reads.
    /// - Returns: The page.
    func page(_ request: Request) -> Response {
        var response = page.unchanged(request) ?? page.response(pageTexts(request))
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    /// Content that never changes, compressed once and for all.
    private static func texts(_ content: [UInt8]) -> @Sendable (Request) -> AnswerBody {
        let plain = AnswerBody(content, isCompressed: false)
        let gzip = AnswerBody(content, isCompressed: true)
        return { GzipText.isWelcome(to: $0) ? gzip : plain }
    }

    private static func pagePolicy() -> String {
        var policy = PagePolicy(style: PackageResources.page_css)
        policy.allow(script: PackageResources.try_js)
        policy.allowRequests()
        return policy.text
    }
}
