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
        // A token has hundreds of characters: bytes are cheaper to look at.
        let value = values[0]
        let space = value.utf8.firstIndex(of: UInt8(ascii: " "))
        guard values.count == 1, let space, value[..<space].lowercased() == "bearer",
            let session = try await authority.session(of: String(value[space...].dropFirst()))
        else { throw Problem.unauthorized(isTokenAtFault: true) }
        return Caller(session)
    }
}
