import HTTPTypes
import Testing

@testable import TripServer

@Suite struct ContractRouteTests {
    private static let style = EmbeddedFiles.text("SignIn/Pages/page.css")
    private static let script = EmbeddedFiles.text("SignIn/Pages/try.js")

    /// The addresses of the pages, as the first one links to them.
    private static func addresses(_ server: BackendUnderTest) async throws -> Set<String> {
        let overview = try await server.get("/api").body
        let links = overview.split(separator: "href=\"").dropFirst().map { link in
            String(link.prefix { $0 != "\"" && $0 != "#" })
        }
        return Set(links.filter { $0.hasPrefix("/api") })
    }

    @Test func theFirstPageLeadsToEveryOther() async throws {
        let server = try BackendUnderTest()
        let addresses = try await Self.addresses(server)
        let file = EmbeddedFiles.text("SignIn/Pages/contract.html")
        #expect(addresses.count > 10)
        #expect(file.ranges(of: "<!-- page ").count == addresses.count)
        for address in addresses {
            let page = try await server.get(address)
            #expect(page.status == .ok, "\(address)")
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.body.hasPrefix("<!DOCTYPE html>") && page.body.hasSuffix("</html>\n"))
            #expect(page.body.contains("href=\"\(address)\" aria-current=\"page\""))
            #expect(page.body.contains("href=\"/\"") && page.body.contains("href=\"/account\""))
        }
    }

    /// Browsers compare style and script with the hashes in the header.
    @Test func styleAndScriptAreThoseThatThePolicyAllows() async throws {
        let server = try BackendUnderTest()
        for address in try await Self.addresses(server) {
            let page = try await server.get(address)
            #expect(page.body.contains("<style>" + Self.style + "</style>"), "\(address)")
            #expect(page.body.contains("<script>" + Self.script + "</script>"), "\(address)")
            #expect(page.body.ranges(of: "<style").count == 1)
            #expect(page.body.ranges(of: "<script").count == 1)
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains(PagePolicy.hash(EmbeddedFiles.text("SignIn/Pages/page.css"))))
            #expect(policy.contains(PagePolicy.hash(EmbeddedFiles.text("SignIn/Pages/try.js"))))
            #expect(policy.contains("connect-src 'self'; form-action 'none'"))
        }
    }

    @Test func aPageThatIsKnownCostsNoBody() async throws {
        let server = try BackendUnderTest()
        let tag = try #require(try await server.get("/api/kpi").headers[.eTag])
        let known = try await server.get("/api/kpi", headers: [.ifNoneMatch: tag])
        #expect(known.status == .notModified && known.body.isEmpty)
        #expect(try await server.get("/api/why").headers[.eTag] != tag)
    }

    @Test(arguments: ["/api/nothing", "/api/", "/api/KPI", "/api/kpi/x"])
    func noOtherPathHasAPage(path: String) async throws {
        #expect(try await BackendUnderTest().get(path).status == .notFound)
    }

    @Test func theFirstPathIsTheDashboard() async throws {
        let server = try BackendUnderTest()
        let page = try await server.get("/?code=x&state=y")
        #expect(page.status == .ok)
        let screen = try await server.get("/app/dashboard")
        #expect(page.body == screen.body && page.headers[.eTag] == screen.headers[.eTag])
        #expect(page.body.contains("<div id=\"app\""))
    }
}
