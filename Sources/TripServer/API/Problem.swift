import HTTPTypes
import Hummingbird
import TripDomain
import TripMart
import TripText

/// Why a request is refused or failed, as a problem document (RFC 9457).
///
/// Its texts are fixed: nothing of the request but the name of a parameter, and nothing of a
/// library's or the system's words, ever stands in one.
struct Problem: Error {
    let status: HTTPResponse.Status
    /// Stable; what callers switch on.
    let code: String
    let detail: String
    /// The query parameter at fault; it is written nowhere but into the answer.
    var parameter: String?
    var headers: HTTPFields = [:]
    /// The error in the server, for its log alone.
    private(set) var fault: MartError.Code?
    /// Whether a region was asked for that is not the caller's; for the access record alone.
    var isOfOtherRegion = false
    /// The line it has in the log; nil where none.
    var logged: RefusalLog.Kind?

    /// A query parameter that cannot be read, or has an unknown value.
    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: .badRequest,
            code: "bad_parameter",
            detail: detail,
            parameter: name
        )
    }

    /// A parameter that the path does not know.
    ///
    /// - Parameters:
    ///   - names: The names handed in.
    ///   - known: The names that the path knows.
    /// - Returns: The problem of the first of the others, in the order of the alphabet.
    static func unknownParameter(
        among names: some Sequence<String>,
        known: Set<String>
    ) -> Problem {
        let name = names.filter { !known.contains($0) }.min() ?? ""
        let words = known.sorted()
        let near = NearestName.find(name, among: words).map { " Did you mean \($0)?" } ?? ""
        let list = words.isEmpty ? "none" : words.joined(separator: ", ")
        return unknownParameter(
            name,
            "This path does not know the parameter.\(near) It knows: \(list)."
        )
    }

    /// A parameter that stands twice.
    static func repeatedParameter(_ name: String) -> Problem {
        unknownParameter(name, "The parameter stands twice.")
    }

    private static func unknownParameter(_ name: String, _ detail: String) -> Problem {
        var problem = Problem(status: .badRequest, code: "unknown_parameter", detail: detail)
        problem.name(name)
        return problem
    }

    /// A parameter whose value has an escape that is not whole.
    static func unreadableParameter(_ name: String) -> Problem {
        var problem = badRequest
        problem.name(name)
        return problem
    }

    /// Names the parameter where its name looks like one: what a client wrote into the place of a
    /// name may be anything.
    private mutating func name(_ name: String) {
        let letters = name.utf8
        let isName = letters.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "_.-".utf8.contains(byte)
        }
        let beginsWithLetter = letters.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
        parameter = isName && beginsWithLetter && letters.count <= 32 ? name : nil
    }

    static let notFound = Problem(
        status: .notFound,
        code: "not_found",
        detail: "There is nothing at this path."
    )

    static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> Problem {
        Problem(
            status: .methodNotAllowed,
            code: "method_not_allowed",
            detail: "This path does not know the method.",
            headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        )
    }

    static let nothingServed = Problem(
        status: .serviceUnavailable,
        code: "nothing_served",
        detail: "Nothing is published yet.",
        headers: [.retryAfter: "60"]
    )

    /// Overload: more requests come than can be answered in time, or the disk does not answer.
    static let tooBusy = Problem(
        status: .serviceUnavailable,
        code: "too_busy",
        detail: "The server is busy. Try again in a moment.",
        headers: [.retryAfter: "1"],
        logged: .overloaded
    )

    /// The caller is not known; the answer says only whether a token was sent.
    static func unauthorized(isTokenAtFault: Bool) -> Problem {
        let fault = isTokenAtFault ? ", error=\"invalid_token\"" : ""
        return Problem(
            status: .unauthorized,
            code: "unauthorized",
            detail: "Sign in first.",
            headers: [.wwwAuthenticate: "Bearer realm=\"triptych\"" + fault]
        )
    }

    /// A sign-in that is too long ago for what is asked (RFC 9470).
    static let authenticateAgain = Problem(
        status: .unauthorized,
        code: "authenticate_again",
        detail: "Re-authenticate to view protected data.",
        headers: [
            .wwwAuthenticate:
                "Bearer realm=\"triptych\", error=\"insufficient_user_authentication\", "
                + "max_age=\(RevealRoute.authenticationAgeMax)"
        ]
    )

    static func tooManyReveals(_ seconds: Int64) -> Problem {
        Problem(
            status: .tooManyRequests,
            code: "too_many_reveals",
            detail: "You have revealed many masked fields. Wait, then go on.",
            headers: [.retryAfter: "\(seconds)"],
            logged: .rateLimited
        )
    }

    static let noSuchRun = Problem(
        status: .notFound,
        code: "no_such_run",
        detail: "There is no run of this id, or it ended long ago."
    )

    static let idempotencyKeyMissing = Problem(
        status: .badRequest,
        code: "idempotency_key_missing",
        detail:
            "Send an Idempotency-Key of 1 to 64 visible ASCII characters, the same when you try again."
    )

    static let idempotencyKeyReused = Problem(
        status: .conflict,
        code: "idempotency_key_reused",
        detail: "This Idempotency-Key asked for something else before. Send another."
    )

    static let queueFull = Problem(
        status: .tooManyRequests,
        code: "queue_full",
        detail: "As many runs as are allowed are waiting. Wait, or cancel one.",
        headers: [.retryAfter: "60"]
    )

    static let tooLateToCancel = Problem(
        status: .conflict,
        code: "too_late",
        detail: "The run is writing a generation, which is not called off. Go back with a rollback."
    )

    static let unknownClient = Problem(
        status: .badRequest,
        code: "unknown_client",
        detail:
            "The application that sent you here is not known, or may not be answered at that address."
    )

    static let unsupportedMediaType = Problem(
        status: .unsupportedMediaType,
        code: "unsupported_media_type",
        detail: "This path takes application/x-www-form-urlencoded."
    )

    static let tooLarge = Problem(
        status: .contentTooLarge,
        code: "too_large",
        detail: "The form is larger than any of ours."
    )

    static let tooSlow = Problem(
        status: .requestTimeout,
        code: "too_slow",
        detail: "The form took too long to arrive."
    )

    static let forbidden = Problem(
        status: .forbidden,
        code: "forbidden",
        detail: "Your roles or regions do not allow this."
    )

    /// A form that another site made a browser send; its sender gets the same answer.
    static let crossSiteForm = Problem(
        status: forbidden.status,
        code: forbidden.code,
        detail: forbidden.detail,
        logged: .crossSiteForm
    )

    /// Whether the trip is unknown, of another region or unreadable is not said; asking again would
    /// not help with any of these.
    static let noSuchTrip = Problem(
        status: .notFound,
        code: "no_such_trip",
        detail: "Unable to retrieve data. Choose the trip from the list again."
    )

    static let cursorExpired = Problem(
        status: .gone,
        code: "cursor_expired",
        detail: "The list has been published again since. Begin at its first page."
    )

    static let tripsNotServed = Problem(
        status: .serviceUnavailable,
        code: "trips_not_served",
        detail: "This server has no key to name trips with.",
        headers: [.retryAfter: "60"]
    )

    static let tripsElsewhere = Problem(
        status: .conflict,
        code: "trips_elsewhere",
        detail: "The trips of this generation are not in the mart. Ask the operator where they lie."
    )

    static let badRequest = Problem(
        status: .badRequest,
        code: "bad_request",
        detail: "The request cannot be read."
    )

    static let internalFault = Problem(
        status: .internalServerError,
        code: "internal",
        detail: unreadable
    )

    /// The detail where the reason would reveal something.
    private static let unreadable = "Unable to retrieve data, please try again."

    /// The same, where an error of the server is the reason, which is logged and not sent.
    func caused(by error: MartError) -> Problem {
        var problem = self
        problem.fault = error.code
        return problem
    }

    /// The document, after which the connection is closed: bytes that follow on it are not to be
    /// read.
    var lastResponse: Response {
        var headers = fields
        headers[.connection] = "close"
        let text = text
        return Response(
            status: status,
            headers: headers,
            body: .last(text)
        )
    }

    /// The document.
    var response: Response {
        Response(
            status: status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: text))
        )
    }

    var fields: HTTPFields {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        return fields
    }

    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("type", "about:blank")
            json.value("title", status.reasonPhrase)
            json.value("status", status.code)
            json.value("code", code)
            json.value("detail", detail)
            if let parameter { json.value("parameter", parameter) }
        }
        return json.text
    }
}
