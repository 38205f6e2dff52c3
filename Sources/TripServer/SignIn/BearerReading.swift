import HTTPTypes
import Hummingbird
import TripIdentity

/// Who sent a request, by the token that goes along with it (RFC 6750).
struct BearerReading {
    let authority: Authority

    /// The caller.
    ///
    /// - Parameter request: The request.
    /// - Returns: Who sent it.
    /// - Throws: ``Problem/unauthorized(isTokenAtFault:)`` where nobody is known to have sent it.
    func caller(_ request: Request) async throws -> Caller {
        let values = request.headers[values: .authorization]
        guard !values.isEmpty else { throw Problem.unauthorized(isTokenAtFault: false) }
        let words = values[0].split(separator: " ", omittingEmptySubsequences: false)
        guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer",
            let session = try await authority.session(of: String(words[1]))
        else { throw Problem.unauthorized(isTokenAtFault: true) }
        return Caller(session)
    }
}
