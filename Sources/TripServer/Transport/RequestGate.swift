import HTTPTypes
import NIOCore
import NIOHTTP1

/// Stands where requests are still what was sent, and lets through what every reader reads alike (RFC 9112).
///
/// What it refuses, and what the library cannot read, is answered with a problem document, in its turn after what was
/// asked before; then nothing more is read, as after the last request of a connection.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let hosts: HostNames?
    private let book: ConnectionBook
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

    private init(_ hosts: HostNames?, _ book: ConnectionBook) {
        (self.hosts, self.book) = (hosts, book)
    }

    /// Puts one behind what reads requests.
    ///
    /// - Parameters:
    ///   - pipeline: A connection's, which the library has set up.
    ///   - hosts: Those that may be asked; nil for any.
    ///   - book: What knows whether the server is about to end: then the answer to what was asked last is the last of its
    ///     connection, also where it was asked before.
    /// - Throws: What NIO throws where nothing there reads requests.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        hosts: HostNames?,
        book: ConnectionBook
    ) throws {
        let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestGate(hosts, book), position: .after(reader))
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
                // Within another answer it could not be said.
                guard pendingCount == 0 else {
                    refuse(.expectationFailed, isHeadAlone: head.method == .HEAD, context)
                    return
                }
                let word = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(word)), promise: nil)
            }
            pendingCount += 1
            isReading = true
            isLast = reading.isLast || book.isEnding
            guard isLast else {
                context.fireChannelRead(data)
                return
            }
            // The library knows it by this one word.
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
            } else if pendingCount == 1, isLast || (book.isEnding && refusal == nil) {
                // What comes behind it is asked elsewhere, by whoever reads this word.
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
        detail: "This server is not asked by that name."
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
