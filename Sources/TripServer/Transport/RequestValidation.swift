import HTTPTypes
import NIOCore
import NIOHTTP1
import TripDomain

/// Stands where requests are still what was sent, and lets through what every HTTP parser reads
/// alike (RFC 9112).
///
/// What it refuses, and what the library cannot parse, is answered with a problem document, in its
/// turn after earlier requests; then nothing more is read, as after the last request of a
/// connection.
final class RequestValidation: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let hosts: HostNames?
    private let registry: ConnectionRegistry
    /// Requests that have come and are not answered to their end.
    private var pendingCount = 0
    /// Whether the request that came last is the last.
    private var isLast = false
    /// Whether a request's head has come, and its end has not.
    private var isReading = false
    /// Whether nothing more is read.
    private var isOver = false
    private var refusal: Refusal?

    /// A request that is not answered by a route.
    private struct Refusal {
        let problem: Problem
        /// Whether its head alone was asked for.
        let isHeadAlone: Bool
    }

    private init(_ hosts: HostNames?, _ registry: ConnectionRegistry) {
        (self.hosts, self.registry) = (hosts, registry)
    }

    /// Adds one behind the decoder of requests.
    ///
    /// - Parameters:
    ///   - pipeline: A connection's, which the library has set up.
    ///   - hosts: Those the server answers for; nil for any.
    ///   - registry: Knows whether the server stops: then the answer to the last request is the
    ///     last of its connection, also where the request came before.
    /// - Throws: What NIO throws where the pipeline has no decoder of requests.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        hosts: HostNames?,
        registry: ConnectionRegistry
    ) throws {
        let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestValidation(hosts, registry), position: .after(reader))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            let reading = HeadReading(head)
            if let problem = reading.problem(hosts) {
                refuse(problem, isHeadAlone: head.method == .HEAD, context)
                return
            }
            if reading.waitsToGoOn {
                // An interim answer cannot stand within another answer.
                guard pendingCount == 0 else {
                    refuse(.expectationFailed, isHeadAlone: head.method == .HEAD, context)
                    return
                }
                let interim = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
            }
            pendingCount += 1
            isReading = true
            isLast = reading.isLast || registry.isEnding
            guard isLast else {
                context.fireChannelRead(data)
                return
            }
            // The library closes the connection by this header.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            (isReading, isOver) = (false, isLast)
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError {
            guard !isOver else { return }
            isOver = true
            let problem = error == .headerOverflow ? Problem.headTooLarge : .badRequest
            refusal = Refusal(problem: problem, isHeadAlone: false)
        }
        context.fireErrorCaught(error)
    }

    /// The library answers it as what cannot be read: after what was asked before, and as the last.
    private func refuse(_ problem: Problem, isHeadAlone: Bool, _ context: ChannelHandlerContext) {
        isOver = true
        refusal = Refusal(problem: problem, isHeadAlone: isHeadAlone)
        context.fireErrorCaught(HTTPParserError.strictModeAssertion)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let refusal, isOfLibrary(head) {
                write(refusal, after: head, context, promise)
            } else if pendingCount == 1, isLast || (registry.isEnding && refusal == nil) {
                // A client that reads this header sends what comes next on another connection.
                isLast = true
                isOver = isOver || !isReading
                head.headers.replaceOrAdd(name: "Connection", value: "close")
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            } else {
                context.write(data, promise: promise)
            }
        case .body: context.write(data, promise: promise)
        case .end:
            pendingCount -= 1
            context.write(data, promise: promise)
        }
    }

    /// Every answer of a route to what is wrong with a request has a text; the library's has none.
    private func isOfLibrary(_ head: HTTPResponseHead) -> Bool {
        head.status == .badRequest && !head.headers.contains(name: "Content-Type")
    }

    /// Writes a problem document in place of the library's answer, whose headers it keeps.
    private func write(
        _ refusal: Refusal,
        after head: HTTPResponseHead,
        _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let (problem, text) = (refusal.problem, refusal.problem.text)
        var head = head
        head.status = HTTPResponseStatus(
            statusCode: problem.status.code,
            reasonPhrase: problem.status.reasonPhrase
        )
        for field in problem.fields {
            head.headers.replaceOrAdd(name: field.name.rawName, value: field.value)
        }
        head.headers.replaceOrAdd(name: "Content-Length", value: "\(text.count)")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        guard !refusal.isHeadAlone else { return }
        let body = ByteBuffer(bytes: text)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
}

extension Problem {
    static let misdirected = Problem(
        status: .misdirectedRequest,
        code: "bad_request",
        detail: "This server does not answer for that host."
    )

    static let expectationFailed = Problem(
        status: .expectationFailed,
        code: "bad_request",
        detail: "Send the request without Expect."
    )

    /// The address or the headers; the library does not say which.
    static let headTooLarge = Problem(
        status: .requestHeaderFieldsTooLarge,
        code: "too_large",
        detail: "The address or the headers are larger than any of ours."
    )
}

/// The parts of a request's head that RFC 9112 depends on: the host, the length, and whether the
/// request is the last.
///
/// It reads each header once, since it reads every request; nothing is copied.
struct HeadReading {
    /// Whether nothing that follows the request on its connection is to be read.
    let isLast: Bool
    /// Whether it is of HTTP/1.0, which knows neither chunks nor expectations, and need not name a
    /// host.
    private let isOld: Bool
    private let authority: Substring.UTF8View?
    private var host: String?
    private var hostCount = 0
    private var coding: String?
    private var codingCount = 0
    private var expectation: String?
    private var hasBody = false

    /// Reads a head.
    init(_ head: HTTPRequestHead) {
        isOld = head.version.minor == 0
        authority = Self.authority(in: head.uri)
        // HTTP/1.0 keeps a connection open by a header that a proxy between may not know.
        isLast = isOld || !head.isKeepAlive
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where Self.isWord(name.utf8[...], "host"):
                host = value
                hostCount += 1
            case 6 where Self.isWord(name.utf8[...], "expect"):
                expectation = value
            case 14 where Self.isWord(name.utf8[...], "content-length"):
                hasBody = hasBody || value != "0"
            case 17 where Self.isWord(name.utf8[...], "transfer-encoding"):
                coding = value
                codingCount += 1
                hasBody = true
            default: break
            }
        }
    }

    /// Why the request is not answered; nil where it may be.
    ///
    /// - Parameter hosts: Those the server answers for; nil for any.
    /// - Returns: The problem.
    func problem(_ hosts: HostNames?) -> Problem? {
        // Where a body ends under another coding, a proxy in front may see otherwise (RFC 9112
        // §6.1).
        if let coding, isOld || codingCount > 1 || !Self.isWord(Self.trimmed(coding), "chunked") {
            return .badRequest
        }
        guard hostCount == 1 || isOld && hostCount == 0 else { return .badRequest }
        if let host, let problem = Self.problem(of: Self.trimmed(host), hosts) { return problem }
        // A target that is a whole address names the host (RFC 9112 §3.2.2).
        if let authority, let problem = Self.problem(of: authority, hosts) { return problem }
        return isOld || expectation == nil || expectsToGoOn ? nil : .expectationFailed
    }

    /// Why a host is refused; nil where it is not.
    private static func problem(of authority: Substring.UTF8View, _ hosts: HostNames?) -> Problem? {
        guard let name = HostNames.host(in: authority) else { return .badRequest }
        return hosts?.contains(name) ?? true ? nil : .misdirected
    }

    /// The host and the port in a target that is a whole address; nil in a path.
    private static func authority(in target: String) -> Substring.UTF8View? {
        let slash = UInt8(ascii: "/")
        guard target.utf8.first != slash else { return nil }
        // As the library parses it: another reading of the target would answer for another host.
        var rest = target.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            guard rest.starts(with: [slash, slash]) else { continue }
            return rest.dropFirst(2)
                .prefix { ![slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        }
        return nil
    }

    /// Whether the client sends the body only after a 100 answer (RFC 9110 §10.1.1).
    var waitsToGoOn: Bool { !isOld && hasBody && expectsToGoOn }

    private var expectsToGoOn: Bool {
        expectation.map { Self.isWord(Self.trimmed($0), "100-continue") } ?? false
    }

    private static func trimmed(_ value: String) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
        var rest = value.utf8.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// Whether a text is a word of small letters, however it is written.
    private static func isWord(_ text: Substring.UTF8View, _ word: String) -> Bool {
        text.elementsEqual(word.utf8) { $0 | 0x20 == $1 }
    }
}
