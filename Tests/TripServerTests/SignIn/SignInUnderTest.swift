import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TripIdentity

@testable import TripServer

/// The paths by which people get in, asked without a socket, over accounts in a folder that is
/// removed afterwards.
final class SignInUnderTest {
    let authentication: AuthenticationService
    private let folder: IdentityFolder
    private let clock: Clock
    private let lines: Lines
    private let responder: RouterResponder<BackendContext>

    /// A time that stands still until a test moves it.
    private final class Clock: Sendable {
        private let state = Mutex<Int64>(1_793_513_640)

        var now: Int64 { state.withLock { $0 } }

        func advance(by seconds: Int64) { state.withLock { $0 += seconds } }
    }

    /// What was logged.
    private final class Lines: Sendable {
        private let state = Mutex<[String]>([])

        var all: [String] { state.withLock { $0 } }

        func add(_ line: [UInt8]) {
            state.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
    }

    /// What an answer says.
    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: String
    }

    /// A server by an address of numbers, so that its pages ask for no passkeys and are the same
    /// each time; it sends no e-mails.
    init() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-sign-in-" + UUID().uuidString).path
        let (clock, lines) = (Clock(), Lines())
        (self.clock, self.lines) = (clock, lines)
        folder = IdentityFolder(path: path)
        authentication = try await AuthenticationService(
            folder,
            issuer: "https://127.0.0.1",
            isDemo: true
        ) {
            clock.now
        }
        let logger = Logger(label: "test") { _ in
            JSONLogHandler(now: { clock.now }, write: lines.add)
        }
        let router = Router(context: BackendContext.self, options: [])
        router.add(middleware: SecurityHeaders<BackendContext>(isOverTLS: false))
        router.add(middleware: ProblemMiddleware<BackendContext>(logger: logger))
        SignIn(
            authentication: authentication,
            clients: [OAuthClient(id: "dashboard", redirectURIs: ["https://dashboard.test/"])],
            mail: nil,
            rateLimit: SignInRateLimit(perMinute: 0, logger: logger),
            logger: logger
        ).addRoutes(to: router)
        responder = router.buildResponder()
    }

    deinit { folder.remove() }

    /// What the server logged, line by line.
    var log: [String] { lines.all }

    func advance(by seconds: Int64) { clock.advance(by: seconds) }

    /// Sends the sign-in form.
    func signIn(at path: String, as name: String, _ password: String) async throws -> Answer {
        let asked =
            "response_type=code&client_id=dashboard&redirect_uri=https://dashboard.test/"
            + "&code_challenge_method=S256&code_challenge=" + String(repeating: "A", count: 43)
        let form = asked + "&username=\(name)&password=\(password)"
        return try await ask(.post, path, ["Content-Type": Self.formType], body: form)
    }

    /// The type of a form.
    static let formType = "application/x-www-form-urlencoded"

    /// One request, without a body where that is empty.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) async throws -> Answer {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        if !body.isEmpty { fields[.contentLength] = "\(body.utf8.count)" }
        let head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "127.0.0.1",
            path: path,
            headerFields: fields
        )
        let response = try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))),
            context: Self.context()
        )
        let text = Text()
        do {
            try await response.body.write(text)
        } catch  where response.headers[.connection] == "close" {
            // What follows on the connection is not read: the text is whole before it is closed.
        }
        return Answer(status: response.status, headers: response.headers, body: text.text)
    }

    /// A request's context, from nowhere.
    static func context() -> BackendContext {
        BackendContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        )
    }

    /// Collects the body of an answer.
    private final class Text: ResponseBodyWriter {
        private var bytes = ByteBuffer()

        var text: String { String(buffer: bytes) }

        func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
