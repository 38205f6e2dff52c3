import HTTPTypes
import Testing

@testable import TripServer

@Suite struct RouteTableTests {
    @Test(arguments: [
        ("/kpi", "/kpi"), ("/kpi/why", "/kpi/why"), ("/", "/"), ("/trip/abc", "/trip/{ref}"),
        ("/trip/abc/reveal", "/trip/{ref}/reveal"), ("/trip/reveal", "/trip/{ref}"),
        ("/runs", "/runs"), ("/runs/ab", "/runs/{id}"), ("/runs/ab/cancel", "/runs/{id}/cancel"),
        ("/api", "/api"), ("/api/kpi", "/api/{page}"), ("/app/why", "/app/…"),
    ])
    func aPathIsCountedAsItsRoute(path: String, template: String) {
        #expect(RouteTable.route(at: path)?.template == template)
    }

    @Test(arguments: [
        "/nothing", "/trip/abc/def", "/trip/", "/trip//reveal", "/kpi/", "//kpi", "", "/runs/",
        "/kpi/what", "/runs/ab/", "/runs/ab/cancel/x", "x/trip/abc", "/Trip/abc",
        "/trip/abc/reveal/", "/api/", "/api/kpi/", "/api/kpi/x",
    ])
    func anUnknownPathHasNoRoute(path: String) {
        #expect(RouteTable.route(at: path) == nil)
    }

    @Test func everyRouteKnowsItsMethods() {
        #expect(RouteTable.route(at: "/kpi")?.methods == [.get, .head])
        #expect(RouteTable.route(at: "/runs")?.methods == [.get, .head, .post])
        #expect(RouteTable.route(at: "/trip/abc/reveal")?.methods == [.post])
        #expect(RouteTable.route(at: "/token")?.methods == [.post])
        #expect(RouteTable.route(at: "/authorize")?.methods == [.get, .head, .post])
    }
}
