import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TripServer

@Suite struct PageProblemsTests {
    /// As Firefox asks for what is typed into its address bar.
    private static let browser =
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    /// A request that comes to nothing.
    struct Fault: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let status: HTTPResponse.Status
        var type: String?
        var origin: String?
        var size = 0

        func answer(
            of server: SignInUnderTest,
            accepting types: String
        ) async throws -> SignInUnderTest.Answer {
            try await server.ask(
                method,
                path,
                ["Accept": types, "Content-Type": type ?? "", "Origin": origin ?? "null"],
                body: String(repeating: "a", count: size)
            )
        }
    }

    private static let form = SignInUnderTest.formType

    @Test(arguments: [
        Fault(method: .get, path: "/authorize?client_id=other", status: .badRequest),
        Fault(method: .get, path: "/account?x=1", status: .badRequest),
        Fault(method: .get, path: "/forgotten", status: .notFound),
        Fault(method: .get, path: "/new-password?token=x", status: .notFound),
        Fault(method: .post, path: "/account", status: .contentTooLarge, type: form, size: 20_000),
        Fault(method: .post, path: "/authorize", status: .badRequest, type: form, size: 5),
        Fault(method: .post, path: "/account", status: .unsupportedMediaType, type: "text/plain"),
        Fault(
            method: .post,
            path: "/account",
            status: .forbidden,
            type: form,
            origin: "https://elsewhere.test"
        ),
    ])
    func aBrowserGetsAPageWhereAProgramGetsADocument(fault: Fault) async throws {
        let server = try await SignInUnderTest()
        let page = try await fault.answer(of: server, accepting: Self.browser)
        let document = try await fault.answer(of: server, accepting: "*/*")
        #expect(page.status == fault.status && document.status == fault.status)
        #expect(document.headers[.contentType] == "application/problem+json")
        #expect(document.body.hasPrefix("{"))
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.body.hasPrefix("<!DOCTYPE html>") && page.body.contains("<h1>"))
        #expect(page.headers[.contentLength] == "\(page.body.utf8.count)")
        for name in [HTTPField.Name.cacheControl, .connection, .xContentTypeOptions] {
            #expect(page.headers[name] == document.headers[name])
        }
        #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
    }

    /// What is wrong inside is told by no page.
    @Test(arguments: [
        (Problem.internalFault, "Something went wrong here"),
        (.tooBusy, "Something went wrong here"),
        (.tooSlow, "That took too long"),
    ])
    func aFaultOfTheServerIsAPageThatSaysNothingOfIt(
        problem: Problem,
        heading: String
    ) async throws {
        let request = Self.request(accepting: Self.browser)
        let response = try await PageProblems().handle(
            request,
            context: SignInUnderTest.context()
        ) { _, _ in problem.lastResponse }
        #expect(response.status == problem.status)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.connection] == "close")
        #expect(response.headers[.retryAfter] == problem.headers[.retryAfter])
        let page = PageProblems.page(problem.status).text
        #expect(page.contains("<h1>\(heading)</h1>") && !page.contains(problem.code))
        #expect(response.body.contentLength == page.utf8.count)
    }

    @Test func aSuccessIsLeftAsItIs() async throws {
        let server = try await SignInUnderTest()
        let page = try await server.ask(.get, "/account", ["Accept": "*/*"])
        #expect(page.status == .ok)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test(arguments: [
        (browser, true),
        ("text/*", true),
        ("TEXT/HTML ; q=0.5, application/json;q=0.4", true),
        ("text/html;q=0.4, application/json;q=0.5", false),
        ("application/problem+json, text/html", false),
        ("text/html, */*", true),
        ("text/html;q=0.5, */*", false),
        ("text/html;q=0, */*", false),
        ("text/html;q=x", false),
        ("application/json", false),
        ("*/*", false),
        ("", false),
    ])
    func pagesAreForThoseWhoNameThem(types: String, prefersPages: Bool) {
        #expect(Self.request(accepting: types).prefersPages == prefersPages)
    }

    @Test func aClientThatNamesNoTypeIsAProgram() {
        #expect(!Self.request(accepting: nil).prefersPages)
    }

    private static func request(accepting types: String?) -> Request {
        var head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: "/account"
        )
        head.headerFields[.accept] = types
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }
}
