import HTTPTypes
import Hummingbird
import TripDomain

/// Why a client gets no token, as OAuth says it (RFC 6749 §5.2): a word, and no reason.
enum OAuthFault: String, Error {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unsupportedGrantType = "unsupported_grant_type"

    /// The document.
    var response: Response {
        var json = JSONText()
        json.object(isLine: true) { $0.value("error", rawValue) }
        return Response(
            status: .badRequest,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.text))
        )
    }
}
