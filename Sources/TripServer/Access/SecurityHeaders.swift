import HTTPTypes
import Hummingbird

/// The headers that every answer has.
struct SecurityFields {
    let fields: [(HTTPField.Name, String)]

    private static var always: [(String, String)] {
        [
            ("X-Content-Type-Options", "nosniff"),
            (
                "Content-Security-Policy",
                "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
            ),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
    }

    /// Two years, in seconds, in which browsers ask for this host, and all below its name, over TLS
    /// alone (RFC 6797).
    private static var strictTransport: (String, String) {
        ("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
    }

    /// Selects the headers.
    ///
    /// - Parameter isOverTLS: Whether the answers go over TLS; RFC 6797 §7.2 forbids to ask for it
    ///   elsewhere.
    init(isOverTLS: Bool) {
        let fields = Self.always + (isOverTLS ? [Self.strictTransport] : [])
        self.fields = fields.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }
}

/// Adds the headers that every answer has, and takes away the text of an answer that is asked for
/// its head alone.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    private let fields: [(HTTPField.Name, String)]

    /// - Parameter isOverTLS: Whether the answers go over TLS.
    init(isOverTLS: Bool) { fields = SecurityFields(isOverTLS: isOverTLS).fields }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in fields where !response.headers.contains(name) {
            response.headers[name] = value
        }
        return request.method == .head ? response.headAlone : response
    }
}

extension Response {
    /// The same without its text; its length stays said (RFC 9110 §9.3.2), and so does that the
    /// connection ends.
    var headAlone: Response {
        let isLast = headers[.connection] == "close"
        return Response(status: status, headers: headers, body: isLast ? .last([]) : .init())
    }
}
