import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import TripIdentity

@testable import TripServer

/// The routes of a server over a mart, asked without a socket.
struct BackendUnderTest {
    let mart: PublishedMart
    private let responder: RouterResponder<BackendContext>
    private let server: Backend
    private let recorder = CallerRecorder()

    /// What an answer says.
    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: String

        /// The body as an object.
        var json: [String: Any] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(body.utf8))
                return try #require(value as? [String: Any])
            }
        }
    }

    /// Serves a mart.
    ///
    /// - Parameters:
    ///   - mart: The mart; one with one generation where none is given.
    ///   - now: The time it is told, in seconds of UTC.
    ///   - hasKey: Whether it is given the mart's key.
    ///   - authentication: Whose record it writes; without one it reveals nothing.
    /// - Throws: What making the mart throws.
    init(
        _ mart: PublishedMart? = nil,
        now: Int64 = 1_793_513_640,
        hasKey: Bool = true,
        authentication: AuthenticationService? = nil
    ) throws {
        self.mart = try mart ?? PublishedMart().publish(seed: 1)
        server = try Backend(
            BackendSettings(
                martPath: self.mart.martPath,
                keyPath: hasKey ? self.mart.martPath + ".key" : nil
            ),
            now: { now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            record: authentication?.record
        ) { [recorder] _ in recorder.caller }
        server.refresh()
        responder = server.router().buildResponder()
    }

    func refresh() { server.refresh() }

    func get(
        _ path: String,
        as caller: Caller = .someViewer,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await ask(.get, path, as: caller, headers: headers)
    }

    /// Sends a form.
    func post(_ path: String, _ form: String, as caller: Caller) async throws -> Answer {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        return try await ask(.post, path, as: caller, headers: headers, body: form)
    }

    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        as caller: Caller = .someViewer,
        headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> Answer {
        recorder.caller = caller
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer(string: body))
        )
        let context = BackendContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        let response = try await responder.respond(to: request, context: context)
        let collected = BodyText()
        do {
            try await response.body.write(collected)
        } catch  where response.headers[.connection] == "close" {
            // What follows on the connection is not read: the text is whole before it is closed.
        }
        return Answer(status: response.status, headers: response.headers, body: collected.text)
    }
}

/// The caller of the next request.
private final class CallerRecorder: Sendable {
    private let state = Mutex(Caller.someViewer)

    var caller: Caller {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Collects the body of an answer.
private final class BodyText: ResponseBodyWriter {
    private var bytes = ByteBuffer()

    var text: String { String(buffer: bytes) }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension Caller {
    /// A caller who sees what may be published.
    static let someViewer = Caller(roles: [.viewer])
}
