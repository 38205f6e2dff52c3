import Hummingbird

/// `GET /openapi.yaml`: what callers may rely on.
struct ContractRoute {
    private let text = PackageResources.health_dashboard_yaml
    private let tag = EntityTag(content: PackageResources.health_dashboard_yaml)

    func answer(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return Answer.tagged(tag, request, "application/yaml") { text }
    }
}
