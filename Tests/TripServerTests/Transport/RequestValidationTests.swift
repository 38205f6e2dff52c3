import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import TripServer

@Suite struct RequestValidationTests {
    @Test(arguments: [
        "", "Host:\r\n", "Host: a b/c@d\r\n", "Host: localhost\r\nhOST: localhost\r\n",
    ])
    func oneHostIsNamedThatIsOne(headers: String) throws {
        let gate = try GatedConnection()
        #expect(try gate.isRefused("GET / HTTP/1.1\r\n\(headers)\r\n"))
        #expect(try gate.heads().isEmpty)
        #expect(try gate.answer(.badRequest).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func anotherHostIsNotAnsweredFor() throws {
        let gate = try GatedConnection()
        #expect(try gate.isRefused("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"))
        #expect(try gate.answer(.badRequest).hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"))
    }

    @Test(arguments: ["localhost:8080", " TRIPS.example ", "127.0.0.1", "[::1]:1"])
    func aRequestForAKnownHostComesThroughAsItWasSent(host: String) throws {
        let gate = try GatedConnection()
        #expect(try !gate.isRefused("GET / HTTP/1.1\r\nHost:\(host)\r\nX-A: b\r\n\r\n"))
        let head = try #require(try gate.heads().first)
        #expect(head.headers.map { $0.name } == ["Host", "X-A"])
    }

    @Test(arguments: [
        ("1.0", "Transfer-Encoding: chunked\r\n"), ("1.1", "Transfer-Encoding: gzip\r\n"),
        ("1.1", "Transfer-Encoding: chunked, chunked\r\n"),
        ("1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
    ])
    func bodiesThatOthersReadOtherwiseAreRefused(version: String, headers: String) throws {
        let gate = try GatedConnection()
        let hidden = "0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let asked = "POST / HTTP/\(version)\r\nHost: localhost\r\n\(headers)\r\n\(hidden)"
        #expect(try gate.isRefused(asked))
        #expect(try gate.heads().isEmpty)
    }

    @Test(arguments: [
        "GET / HTTP/1.0\r\n", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, CLOSE\r\n",
    ])
    func nothingIsReadAfterTheLastRequest(asked: String) throws {
        let gate = try GatedConnection()
        #expect(try !gate.isRefused("\(asked)\r\nGET /more HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        let heads = try gate.heads()
        #expect(heads.map(\.uri) == ["/"])
        // The one word by which the library knows it.
        #expect(heads.first?.headers["Connection"] == ["close"])
        #expect(try gate.answer(.ok).contains("Connection: close\r\n"))
    }

    @Test func theAnswerBeforeTheLastKeepsTheConnection() throws {
        let gate = try GatedConnection()
        let asked = "Host: localhost\r\n\r\n"
        #expect(try !gate.isRefused("GET /a HTTP/1.1\r\n\(asked)GET /b HTTP/1.0\r\n\(asked)"))
        #expect(try gate.heads().map(\.uri) == ["/a", "/b"])
        #expect(try !gate.answer(.ok).contains("Connection"))
        #expect(try gate.answer(.ok).contains("Connection: close\r\n"))
    }

    @Test func whereTheServerIsAboutToEndEachRequestIsTheLast() throws {
        let gate = try GatedConnection()
        gate.registry.endWithAnswers()
        let asked = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try !gate.isRefused(asked + asked))
        #expect(try gate.heads().map { $0.headers["Connection"] } == [["close"]])
        #expect(try gate.answer(.ok).contains("Connection: close\r\n"))
    }

    @Test func anAnswerUnderWayWhenTheServerStopsIsTheLast() throws {
        let gate = try GatedConnection()
        let asked = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try !gate.isRefused(asked + asked))
        gate.registry.endWithAnswers()
        // Another one was asked behind it, and is answered.
        #expect(try !gate.answer(.ok).contains("Connection"))
        #expect(try gate.answer(.ok).contains("Connection: close\r\n"))
        #expect(try gate.heads().count == 2)
        #expect(try !gate.isRefused(asked))
        #expect(try gate.heads().isEmpty)
    }

    @Test func whereARefusalComesBehindItThatIsTheLast() throws {
        let gate = try GatedConnection()
        let asked = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try gate.isRefused(asked + "GET / HTTP/1.1\r\n\r\n"))
        gate.registry.endWithAnswers()
        #expect(try !gate.answer(.ok).contains("Connection"))
        #expect(try gate.answer(.badRequest).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func aBodyThatIsStillReadThenIsReadToItsEnd() throws {
        let gate = try GatedConnection()
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"
        #expect(try !gate.isRefused(head))
        gate.registry.endWithAnswers()
        // It may be answered before.
        #expect(try gate.answer(.ok).contains("Connection: close\r\n"))
        #expect(try !gate.isRefused("a=b" + head))
        #expect(try gate.parts() == ["head", "body", "end"])
    }

    @Test func aBodyThatWaitsIsAskedFor() throws {
        let gate = try GatedConnection()
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\n"
        #expect(try !gate.isRefused("\(head)Content-Length: 3\r\n\r\n"))
        #expect(try gate.sent() == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(try !gate.isRefused("a=b"))
        #expect(try gate.answer(.ok).hasPrefix("HTTP/1.1 200 OK\r\n"))
        // A client waits with no body that it does not have.
        #expect(try !gate.isRefused("\(head)\r\n"))
        #expect(try gate.sent().isEmpty)
    }

    @Test func whileAnotherAnswerIsUnderWayNoBodyIsAskedFor() throws {
        let gate = try GatedConnection()
        #expect(try !gate.isRefused("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        #expect(try gate.isRefused("\(head)Content-Length: 3\r\n\r\n"))
        #expect(try gate.answer(.ok).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try gate.answer(.badRequest).hasPrefix("HTTP/1.1 417 Expectation Failed\r\n"))
    }

    @Test func noOtherExpectationIsMet() throws {
        let gate = try GatedConnection()
        #expect(try gate.isRefused("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n"))
        #expect(try gate.answer(.badRequest).hasPrefix("HTTP/1.1 417 Expectation Failed\r\n"))
    }

    @Test func malformedHTTPIsAnsweredWithAProblem() throws {
        let gate = try GatedConnection()
        #expect(try gate.isRefused("GET / HTTP/1.1\r\nX A: b\r\n\r\n"))
        let answer = try gate.answer(
            .badRequest,
            ["Connection": "close", "Content-Length": "0", "X-A": "b"]
        )
        let problem = Problem.badRequest
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"))
        for header in [
            "Content-Type: application/problem+json", "Cache-Control: no-store", "X-A: b",
            "Content-Length: \(problem.text.count)",
        ] {
            #expect(answer.lowercased().contains("\r\n\(header.lowercased())\r\n"))
        }
        #expect(answer.hasSuffix("\r\n\r\n" + String(decoding: problem.text, as: UTF8.self)))
    }

    @Test func aHeadThatIsTooLargeIsAnsweredWith431() throws {
        let gate = try GatedConnection()
        let large = String(repeating: "a", count: 90_000)
        #expect(try gate.isRefused("GET /\(large) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        #expect(
            try gate.answer(.badRequest).hasPrefix(
                "HTTP/1.1 431 Request Header Fields Too Large\r\n"
            )
        )
    }

    @Test func aRefusalOfHEADHasNoText() throws {
        let gate = try GatedConnection()
        #expect(try gate.isRefused("HEAD / HTTP/1.1\r\n\r\n"))
        let answer = try gate.answer(.badRequest)
        #expect(answer.contains("application/problem+json"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func anAnswerOfARouteStaysAsItIs() throws {
        let gate = try GatedConnection()
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        // The route learns that the body cannot be read, and says so in its own words.
        #expect(try gate.isRefused("\(head)zz\r\n"))
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "Content-Length": "0"]
        let answer = try gate.answer(.badRequest, headers)
        #expect(answer.contains("Content-Type: text/plain\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }
}

/// A connection that exists in memory alone, with a gate in it.
private struct GatedConnection {
    private let channel: EmbeddedChannel
    let registry = ConnectionRegistry(countMax: 1, addressCountMax: 0)

    init() throws {
        channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([
            HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()),
        ])
        let hosts = HostNames(issuer: "https://trips.example")
        try RequestValidation.add(
            to: channel.pipeline.syncOperations,
            hosts: hosts,
            registry: registry
        )
    }

    /// Sends a text.
    ///
    /// - Returns: Whether the library is told that it cannot be read.
    func isRefused(_ text: String) throws -> Bool {
        do {
            try channel.writeInbound(ByteBuffer(string: text))
            return false
        } catch is HTTPParserError {
            return true
        }
    }

    /// The heads that came through since the last look.
    func heads() throws -> [HTTPRequestHead] {
        var heads: [HTTPRequestHead] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return heads
    }

    /// What kinds of parts came through since the last look.
    func parts() throws -> [String] {
        var names: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head: names.append("head")
            case .body: names.append("body")
            case .end: names.append("end")
            }
        }
        return names
    }

    /// Answers, as the library does.
    ///
    /// - Returns: All that went out since the last look.
    func answer(
        _ status: HTTPResponseStatus,
        _ headers: HTTPHeaders = ["Content-Length": "0"]
    ) throws -> String {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        return try sent()
    }

    func sent() throws -> String {
        var text = ""
        while let piece = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: piece)
        }
        return text
    }
}
