import Hummingbird

/// `GET /openapi.yaml`: what callers may rely on.
struct ContractRoute {
    private let entry = AnswerCache.Entry(PackageResources.health_dashboard_yaml)
    private let contract = Answer(
        EntityTag(content: PackageResources.health_dashboard_yaml),
        mediaType: "application/yaml"
    )

    func answer(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return contract.unchanged(request) ?? contract.response(request, entry)
    }
}
