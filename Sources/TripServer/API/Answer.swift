import HTTPTypes
import Hummingbird
import NIOCore
import TripDomain
import TripMart
import TripText

/// How answers are put together.
struct Answer {
    /// What the bytes depend on.
    let tag: EntityTag
    let mediaType: String
    /// Whether its reader's browser may keep it.
    let mayBeKept: Bool

    /// An answer that depends on a generation: kept by its reader alone, and asked for again each
    /// time.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - mediaType: What they are.
    ///   - mayBeKept: Whether a browser may keep it; where not, a program that keeps it by itself,
    ///     encrypted, still asks by its tag.
    init(_ tag: EntityTag, mediaType: String = "application/json", mayBeKept: Bool = true) {
        (self.tag, self.mediaType, self.mayBeKept) = (tag, mediaType, mayBeKept)
    }

    /// The answer where the client has the bytes already; nil where not.
    func unchanged(_ request: Request) -> Response? {
        tag.known(to: request).map { known in
            Response(status: .notModified, headers: headers(known))
        }
    }

    /// The answer with its bytes, as its reader takes them.
    func response(_ body: AnswerBody) -> Response {
        var headers = headers(body.isGzip ? tag.gzipText : tag.text)
        headers[.contentType] = mediaType
        if body.isGzip { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: .inPieces(body.bytes))
    }

    /// The answer, from the cache or made now.
    ///
    /// - Parameters:
    ///   - request: The request, whose reader may have the bytes already.
    ///   - cache: What is kept.
    ///   - generation: What the bytes are made from.
    ///   - text: Makes the bytes.
    /// - Returns: The answer; 304 where the bytes are known.
    func response(
        _ request: Request,
        _ cache: AnswerCache,
        of generation: ServedGeneration,
        _ text: () -> [UInt8]
    ) -> Response {
        if let unchanged = unchanged(request) { return unchanged }
        let isCompressed = GzipText.isWelcome(to: request)
        let instance = generation.instance
        return response(
            cache.body(tag, from: instance, isCompressed: isCompressed, text)
        )
    }

    private func headers(_ tag: String) -> HTTPFields {
        [
            .eTag: tag, .cacheControl: mayBeKept ? "private, no-cache" : "no-store",
            .vary: "Accept-Encoding",
        ]
    }

    /// JSON that is not cached: it is about one trip, or about this very moment.
    static func unkept(_ text: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .inPieces(ByteBuffer(bytes: text))
        )
    }

    /// A status of the server, and what goes with it.
    static func status(_ word: String, _ members: (inout JSONText) -> Void = { _ in }) -> Response {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("status", word)
            members(&json)
        }
        return unkept(json.text)
    }
}

/// The bytes of an answer as its reader takes them: as they are, or compressed where that is worth
/// it.
struct AnswerBody: Sendable {
    let bytes: ByteBuffer
    /// Whether they are compressed.
    let isGzip: Bool

    /// - Parameters:
    ///   - text: The answer.
    ///   - isCompressed: Whether its reader takes it compressed.
    init(_ text: [UInt8], isCompressed: Bool) {
        let gzip = isCompressed && text.count >= GzipText.leastSize ? GzipText.bytes(text) : nil
        bytes = ByteBuffer(bytes: gzip ?? text)
        isGzip = gzip != nil
    }

    /// The memory it takes, in bytes: more than those it has.
    var size: Int { bytes.storageCapacity }
}
