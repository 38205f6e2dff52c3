import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TripDomain
import TripMart
import TripText

/// How answers are put together.
struct Answer {
    /// What the bytes depend on.
    let tag: EntityTag
    let mediaType: String
    /// The headers of the request that the bytes depend on.
    private let vary: String
    /// Whether its reader's browser may keep it.
    let mayBeKept: Bool

    /// An answer that depends on a generation: kept by its reader alone, and asked for again each
    /// time.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - mediaType: What they are.
    init(_ tag: EntityTag, mediaType: String) {
        (self.tag, self.mediaType, mayBeKept) = (tag, mediaType, true)
        vary = "Accept-Encoding"
    }

    /// An answer that its reader may have in either format.
    ///
    /// - Parameters:
    ///   - generation: What it is made from.
    ///   - parts: What else its bytes depend on.
    ///   - format: The format.
    ///   - mayBeKept: Whether a browser may keep it; where not, a program that keeps it by itself,
    ///     encrypted, still asks by its tag.
    init(
        _ generation: ServedGeneration,
        _ parts: [String],
        as format: AnswerFormat,
        mayBeKept: Bool = true
    ) {
        tag = EntityTag(generation, parts: parts + [format.rawValue])
        (mediaType, self.mayBeKept) = (format.mediaType, mayBeKept)
        vary = "Accept-Encoding, Accept"
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
            .vary: vary,
        ]
    }

    /// What is not cached: it is about one trip, or about this very moment.
    static func unkept(_ text: [UInt8], as format: AnswerFormat = .json) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: format.mediaType, .cacheControl: "no-store"],
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

/// Finished answers by their tag, so that a question asked again is answered by what is there.
///
/// Tags name generation, question and view: an answer never becomes wrong, and those of replaced
/// generations are merely no longer asked for. An answer made from a file that turned out to be
/// damaged is not given again, since the repaired file is another object. Half of the space is for
/// the answers that were asked for last; when it is full, it becomes the other half, whose answers
/// are dropped unless they were asked for meanwhile.
final class AnswerCache: Sendable {
    private struct Key: Hashable {
        /// The memory of a key beside its answer, in bytes: its tag, and its slot in a table that
        /// may be half empty.
        static let size = 256

        let tag: EntityTag
        let instance: Int
        /// Compressing takes longer than all else: it is done for clients that accept it.
        let isCompressed: Bool
    }

    private struct State {
        var last: [Key: AnswerBody] = [:]
        var before: [Key: AnswerBody] = [:]
        var (lastSize, beforeSize) = (0, 0)

        /// An answer that is there, which is one of the last from now on.
        mutating func find(_ key: Key, capacity: Int) -> AnswerBody? {
            if let body = last[key] { return body }
            guard let body = before.removeValue(forKey: key) else { return nil }
            beforeSize -= Self.size(of: body)
            keep(body, key, capacity: capacity)
            return body
        }

        mutating func keep(_ body: AnswerBody, _ key: Key, capacity: Int) {
            let (half, size) = (capacity / 2, Self.size(of: body))
            guard size <= half, last[key] == nil else { return }
            if lastSize + size > half {
                (before, beforeSize) = (last, lastSize)
                (last, lastSize) = ([:], 0)
            }
            last[key] = body
            lastSize += size
        }

        private static func size(of body: AnswerBody) -> Int { body.size + Key.size }
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The bytes of memory that answers may take.
    init(capacity: Int = 48 << 20) {
        self.capacity = capacity
    }

    /// The bytes of memory that are taken.
    var size: Int { state.withLock { $0.lastSize + $0.beforeSize } }

    /// The answer of a tag; made where it is not there.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - instance: The object they are made from.
    ///   - isCompressed: Whether its reader takes it compressed.
    ///   - text: Makes them.
    /// - Returns: The answer.
    func body(
        _ tag: EntityTag,
        from instance: Int,
        isCompressed: Bool,
        _ text: () -> [UInt8]
    ) -> AnswerBody {
        let key = Key(tag: tag, instance: instance, isCompressed: isCompressed)
        if let body = state.withLock({ $0.find(key, capacity: capacity) }) { return body }
        // Made outside of the lock: two requests at once make the same bytes.
        let body = AnswerBody(text(), isCompressed: isCompressed)
        state.withLock { $0.keep(body, key, capacity: capacity) }
        return body
    }
}

extension ResponseBody {
    /// What fits into one record of TLS, with what that adds to it, and so into a buffer of 16 KB.
    static let pieceSize = 15 << 10

    /// Bytes that go out a piece at a time, each once there is space for it: a slow client has a
    /// few pieces waiting for it, encrypted, and not all of a long answer.
    ///
    /// - Parameter bytes: The answer; all readers share its memory.
    /// - Returns: The body.
    static func inPieces(_ bytes: ByteBuffer) -> ResponseBody {
        // With its head in one go, as nearly all answers are.
        guard bytes.readableBytes > pieceSize else { return ResponseBody(byteBuffer: bytes) }
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }
}

extension ResponseBody {
    /// A text after which the connection is closed: bytes that follow on it are not read, nor
    /// waited for.
    ///
    /// - Parameter text: The text, as bytes of UTF-8.
    /// - Returns: The body.
    static func last(_ text: [UInt8]) -> ResponseBody {
        ResponseBody(contentLength: text.count) { writer in
            try await writer.write(ByteBuffer(bytes: text))
            try await writer.finish(nil)
            // The one way to tell the server that the connection has ended.
            throw ConnectionEnded()
        }
    }

    private struct ConnectionEnded: Error {}
}
