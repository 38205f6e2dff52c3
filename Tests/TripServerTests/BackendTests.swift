import HTTPTypes
import Testing

@testable import TripServer

@Suite struct BackendTests {
    private static let paths = [
        "/kpi", "/months", "/trip-types", "/regions", "/healthz", "/readyz", "/openapi.yaml",
        "/nothing", "/kpi?x=1", "/kpi/why", "/", "/api", "/api/kpi",
    ]

    @Test(arguments: paths)
    func everyAnswerHasTheSecurityHeaders(path: String) async throws {
        let server = try BackendUnderTest()
        for method: HTTPRequest.Method in [.get, .head, .post, .delete] {
            let headers = try await server.ask(method, path).headers
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(headers[.cacheControl] != nil)
            #expect(headers[.server] == nil)
        }
    }

    @Test(arguments: paths.prefix(7))
    func otherMethodsAreRefusedWithTheOnesThatAreKnown(path: String) async throws {
        let server = try BackendUnderTest()
        for method: HTTPRequest.Method in [.post, .put, .delete, .patch, .options, .trace] {
            let answer = try await server.ask(method, path)
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, HEAD")
        }
        let head = try await server.ask(.head, path)
        let get = try await server.get(path)
        #expect(head.status == get.status && head.body.isEmpty)
        #expect(head.headers[.eTag] == get.headers[.eTag])
    }

    @Test(arguments: [
        "/index.html", "/nothing", "/kpi/x", "//kpi", "/kpi/", "/kpi//", "/trip//x", "/trip/",
        "/KPI",
        "/..%2fkpi", "/%00", "/kpi%20",
    ])
    func anUnknownPathIsAProblemDocument(path: String) async throws {
        let answer = try await BackendUnderTest().get(path)
        #expect(answer.status == .notFound)
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(try answer.json["code"] as? String == "not_found")
        #expect(!answer.body.contains("%"))
    }
}
