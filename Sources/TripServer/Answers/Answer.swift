import HTTPTypes
import Hummingbird
import TripDomain

/// How answers are put together.
enum Answer {
    /// JSON that depends on a generation: kept by its reader alone, and asked for again each time.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - request: The request, which may know them already.
    ///   - text: Makes the bytes where it does not.
    /// - Returns: The answer; 304 where the bytes are known.
    static func json(_ tag: EntityTag, _ request: Request, _ text: () -> [UInt8]) -> Response {
        tagged(tag, request, "application/json", text)
    }

    /// Bytes of some media type, otherwise as ``json(_:_:_:)``.
    static func tagged(
        _ tag: EntityTag,
        _ request: Request,
        _ mediaType: String,
        _ text: () -> [UInt8]
    ) -> Response {
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "private, no-cache"]
        if tag.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = mediaType
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: text()))
        )
    }

    /// JSON that nobody keeps: it tells of one trip.
    static func unkept(_ text: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: text))
        )
    }

    /// A word on how the server is, and what goes with it.
    static func status(_ word: String, _ members: (inout JSONText) -> Void = { _ in }) -> Response {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("status", word)
            members(&json)
        }
        return unkept(json.text)
    }
}
