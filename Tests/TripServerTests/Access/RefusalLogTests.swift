import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization
import Testing

@testable import TripServer

@Suite struct RefusalLogTests {
    /// What was logged, line by line.
    private final class Lines: Sendable {
        private let state = Mutex<[String]>([])

        var all: [String] { state.withLock { $0 } }

        func add(_ line: [UInt8]) {
            state.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }

        var logger: Logger {
            Logger(label: "test") { _ in
                JSONLogHandler(now: { 1_793_513_640 }, write: self.add)
            }
        }
    }

    @Test func aKindIsLoggedOnceAMinuteWithItsCount() {
        let lines = Lines()
        let log = RefusalLog(lines.logger)
        for second in [0, 0, 30, 59] as [Int64] {
            log.note(.rateLimited, at: "/account", now: second)
        }
        #expect(lines.all.count == 1 && lines.all[0].contains(#""count": "1""#))
        // Another route and another kind have lines of their own.
        log.note(.rateLimited, at: "/authorize", now: 59)
        log.note(.failedHandshake, now: 59)
        #expect(lines.all.count == 3 && !lines.all[2].contains("route"))
        log.note(.rateLimited, at: "/account", now: 60)
        #expect(lines.all.count == 4)
        #expect(lines.all[3].contains(#""level": "notice", "message": "rate limit exceeded""#))
        #expect(lines.all[3].contains(#""count": "4""#))
        #expect(lines.all[3].contains(#""route": "/account""#))
    }

    @Test func formsOfOtherSitesAreLoggedWithoutTheirContent() async throws {
        let server = try await SignInUnderTest()
        for _ in 0..<3 {
            let answer = try await server.ask(
                .post,
                "/account",
                ["Content-Type": SignInUnderTest.formType, "Origin": "https://elsewhere.test"],
                body: "username=someone"
            )
            #expect(answer.status == .forbidden)
        }
        let lines = server.log.filter { $0.contains("a form of another site was refused") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains(#""route": "/account""#) })
        #expect(!server.log.contains { $0.contains("elsewhere") || $0.contains("someone") })
    }

    @Test func revealsBeyondTheLimitAreLoggedByRouteAlone() async throws {
        let lines = Lines()
        let middleware = ProblemMiddleware<BackendContext>(logger: lines.logger)
        let head = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost",
            path: "/trip/abcdef/reveal"
        )
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        for problem in [Problem.tooManyReveals(9), .forbidden] {
            let refusing = { (_: Request, _: BackendContext) throws -> Response in throw problem }
            let answer = try await middleware.handle(
                request,
                context: SignInUnderTest.context(),
                next: refusing
            )
            #expect(answer.status == problem.status)
        }
        #expect(lines.all.count == 1)
        #expect(lines.all.allSatisfy { $0.contains(RouteTable.reveal) && !$0.contains("abcdef") })
    }

    /// An error of a library, with what it quotes.
    private struct LibraryError: Error, CustomStringConvertible {
        var description: String { "row 7: canarytext" }
    }

    @Test func theTextOfALibrarysErrorGoesNowhere() async throws {
        let lines = Lines()
        let middleware = ProblemMiddleware<BackendContext>(logger: lines.logger)
        let head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: "/kpi"
        )
        let answer = try await middleware.handle(
            Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: SignInUnderTest.context()
        ) { _, _ in throw LibraryError() }
        let plain = Problem.internalFault.lastResponse
        #expect(answer.status == .internalServerError && answer.headers == plain.headers)
        #expect(answer.body.contentLength == plain.body.contentLength)
        #expect(lines.all.count == 1 && lines.all[0].contains("a request failed"))
        #expect(!lines.all[0].contains("canarytext") && !lines.all[0].contains("row 7"))
    }
}
