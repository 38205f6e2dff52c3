import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import TripServer

/// The routes of a server over a mart, asked without a socket.
struct BackendUnderTest {
    let mart: PublishedMart
    private let responder: RouterResponder<BasicRequestContext>
    private let server: Backend

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
    /// - Throws: What making the mart throws.
    init(_ mart: PublishedMart? = nil, now: Int64 = 1_793_513_640) throws {
        self.mart = try mart ?? PublishedMart().publish(seed: 1)
        server = Backend(
            BackendSettings(martPath: self.mart.martPath),
            now: { now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        server.lookForNewerGeneration()
        responder = server.router().buildResponder()
    }

    func lookForNewerGeneration() { server.lookForNewerGeneration() }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await ask(.get, path, headers: headers)
    }

    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        let response = try await responder.respond(to: request, context: context)
        let collected = BodyText()
        try await response.body.write(collected)
        return Answer(status: response.status, headers: response.headers, body: collected.text)
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
